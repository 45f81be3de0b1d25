//! What results are made of: exposures and events, of this server or of other tools.

use std::collections::HashMap;

use events::{Day, EventId, EventRow, ExposureRow, Millis, Visitor};
use oauth::Timestamp;
use storage::LostEventDay;

use crate::results::day_sums::date;
use crate::results::experiment_history::{ExperimentHistory, Span};
use crate::results::gatherers::{GatheredEvents, GatheredExposures};
use crate::results::packed_events::{Events, Worth};
use crate::results::packed_exposures::{Exposures, PackedExposure, ShownName};
use crate::results::segment_by::SegmentBy;
use crate::results::tally::Tally;
use crate::results::weights::WeightHistory;

/// What was measured.
#[derive(Debug, Default)]
pub struct Dataset {
    pub(super) exposures: Exposures,
    pub(super) events: Events,
    /// Today, where it is known: what is measured elsewhere ends with itself.
    pub(super) today: Option<Day>,
    /// The day on which what is measured elsewhere is read: a plan that ended before is over, whatever came last.
    pub(super) read_on: Option<Day>,
    /// The weights that visitors were drawn with, where their past is known.
    pub(super) weights: WeightHistory,
    /// When visitors took part in what, where that is known.
    pub(super) history: ExperimentHistory,
    /// The day since which events are kept, where older ones are deleted.
    pub(super) kept_since: Option<Day>,
    /// The days of which events are lost that would count.
    pub(super) lost_days: Vec<LostEventDay>,
    /// Rows of events with an id that came before: they do not count.
    pub(super) repeated: u64,
    /// What this server knows of events beside what they say.
    pub(super) tally: Option<Tally>,
    /// What else visitors are to be split by.
    pub(super) split: Option<SegmentBy>,
    /// Whether visitors take part no longer, as in what an earlier revision has.
    pub(super) is_past: bool,
}

impl Dataset {
    /// What rows of other tools say.
    #[must_use]
    pub fn of_rows(exposures: &[ExposureRow], events: &[EventRow]) -> Self {
        // Results of files know visitors within one run only, so no key hides them.
        let visitor = |id: &str| Visitor::of(&[0; 32], id);
        let mut measured = Self::default();
        for row in exposures {
            let (experiment, variation) = (row.experiment.clone(), row.variation.clone());
            let named = ShownName::Names { experiment, variation, page: row.page.clone() };
            let what = measured.exposures.number(&named);
            let (visitor, at, agent) = (visitor(&row.visitor), row.at, row.agent);
            let (is_held_back, may_flicker) = (row.is_held_back, false);
            measured.exposures.push(PackedExposure {
                visitor,
                at,
                what,
                is_held_back,
                agent,
                may_flicker,
            });
        }
        for row in without_repeated(events) {
            let worth = Worth { revenue: row.revenue, value: row.value };
            let who = (visitor(&row.visitor), row.at);
            let event = measured.events.make(who, &row.name, worth, row.properties.clone());
            measured.events.push(event);
        }
        measured.exposures.sort();
        measured.events.sort();
        let counted = measured.events.iter().map(|_| 1).sum::<u64>();
        measured.repeated = (events.len() as u64).saturating_sub(counted);
        measured
    }

    /// The same, read at this moment.
    #[must_use]
    pub fn read_at(self, now: Timestamp) -> Self {
        Self { read_on: Some(Millis(now.as_milliseconds()).day()), ..self }
    }

    /// The same with the figures of each segment.
    #[must_use]
    pub fn split(self, split: Option<SegmentBy>) -> Self {
        Self { split, ..self }
    }

    /// Whether any visitor was held back; files may leave that out.
    pub(super) fn has_held_back(&self) -> bool {
        self.exposures.iter().any(|shown| shown.is_held_back)
    }

    /// The day before which events are deleted, if visitors took part then.
    pub(super) fn deleted_before(&self, span: Span) -> Option<String> {
        let kept_since = self.kept_since?;
        span.started.filter(|started| started.day() < kept_since).map(|_| date(kept_since))
    }

    /// Whether all that visitors did in a campaign is deleted.
    pub(super) fn is_deleted(&self, span: Span) -> bool {
        self.kept_since.is_some_and(|kept| span.ended.is_some_and(|ended| ended.day() < kept))
    }

    /// The last day on which anything happened.
    pub(super) fn newest_day(&self) -> Option<Day> {
        let shown = self.exposures.iter().map(|shown| shown.at);
        shown.chain(self.events.iter().map(|event| event.at)).max().map(Millis::day)
    }

    /// What came to this server until today, with the weights of its past.
    pub(super) fn of_server(
        exposures: GatheredExposures,
        events: GatheredEvents,
        (today, weights, history): (Day, WeightHistory, ExperimentHistory),
    ) -> Self {
        let mut tally = exposures.tally;
        tally.add(events.tally);
        Self {
            exposures: exposures.exposures,
            events: events.events,
            today: Some(today),
            read_on: None,
            weights,
            history,
            kept_since: None,
            lost_days: Vec::new(),
            repeated: 0,
            tally: Some(tally),
            split: None,
            is_past: false,
        }
    }
}

/// What two rows have in common that are about the same event.
#[derive(PartialEq, Eq, Hash)]
struct EventKey<'r> {
    visitor: &'r str,
    name: &'r str,
    id: EventId,
}

impl<'r> EventKey<'r> {
    /// That of a row, if it has an id.
    fn of(row: &'r EventRow) -> Option<Self> {
        Some(Self { visitor: &row.visitor, name: &row.name, id: EventId::of(row.id.as_ref()?) })
    }
}

/// The events, each id of a visitor and name once: the first that happened, as results of imported ones have it.
fn without_repeated(events: &[EventRow]) -> impl Iterator<Item = &EventRow> {
    let mut first: HashMap<_, (Millis, usize)> = HashMap::new();
    for (place, row) in events.iter().enumerate() {
        let Some(key) = EventKey::of(row) else { continue };
        let earliest = first.entry(key).or_insert((row.at, place));
        *earliest = (*earliest).min((row.at, place));
    }
    let counts = move |(place, row): &(usize, &EventRow)| {
        EventKey::of(row).is_none_or(|key| first.get(&key).is_some_and(|(_, first)| first == place))
    };
    events.iter().enumerate().filter(counts).map(|(_, row)| row)
}
