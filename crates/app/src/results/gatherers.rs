//! What is kept of the events of this server for results, and what is only counted.

use std::collections::BTreeSet;
use std::sync::Arc;

use events::{Marks, Millis, UserAgent, Visitor, Visitors};
use lake::{Row, RowOccurrence};

use crate::events::Gather;
use crate::results::packed_events::{Events, PackedEvent, Texts, Worth};
use crate::results::packed_exposures::{Exposures, PackedExposure, ShownName};
use crate::results::tally::Tally;

/// The exposures to a campaign.
#[derive(Debug, Clone, Default)]
pub(super) struct GatheredExposures {
    pub(super) exposures: Exposures,
    pub(super) tally: Tally,
    /// Whose exposures do not count.
    uncounted: Vec<Visitor>,
    /// The moment of the first of all exposures, whether or not it counts.
    pub(super) first: Option<Millis>,
}

/// What an exposure is to results.
#[derive(Debug, Clone, Copy)]
pub(super) enum ExposureUse {
    Bot,
    Forced,
    /// It counts.
    Counted {
        /// The number of the variation.
        what: u32,
        /// Whether the visitor is held back.
        is_held_back: bool,
        /// With what the visitor came.
        agent: UserAgent,
        may_flicker: bool,
        is_late: bool,
    },
}

impl GatheredExposures {
    /// All who were told of, whether or not it counts.
    pub(super) fn visitors(&self) -> Visitors {
        let counted = self.exposures.iter().map(|shown| shown.visitor);
        counted.chain(self.uncounted.iter().copied()).collect()
    }
}

impl Gather for GatheredExposures {
    type Extract = (Visitor, Millis, ExposureUse);

    fn keep(&mut self, row: &Row<'_>) -> Option<Self::Extract> {
        let RowOccurrence::Exposure { experiment, variation, agent, page } = row.what else {
            return None;
        };
        let what = if row.marks.is_bot {
            ExposureUse::Bot
        } else if row.marks.is_forced || row.marks.is_previewed {
            ExposureUse::Forced
        } else {
            let what = self.exposures.number(&ShownName::Ids { experiment, variation, page });
            let Marks { is_held_back, may_flicker, is_late, .. } = row.marks;
            ExposureUse::Counted { what, is_held_back, agent, may_flicker, is_late }
        };
        Some((row.visitor, row.at, what))
    }

    fn add(&mut self, (visitor, at, what): Self::Extract) {
        self.first = Some(self.first.map_or(at, |first| first.min(at)));
        match what {
            ExposureUse::Bot => {
                self.tally.bots += 1;
                self.uncounted.push(visitor);
            }
            ExposureUse::Forced => {
                self.tally.forced += 1;
                self.uncounted.push(visitor);
            }
            ExposureUse::Counted { what, is_held_back, agent, may_flicker, is_late } => {
                self.tally.late += u64::from(is_late);
                self.exposures.push(PackedExposure {
                    visitor,
                    at,
                    what,
                    is_held_back,
                    agent,
                    may_flicker,
                });
            }
        }
    }

    fn put_in_order(&mut self) {
        self.exposures.sort();
        self.uncounted.sort();
        self.uncounted.dedup();
    }

    fn append(&mut self, other: Self) {
        self.exposures.append(other.exposures);
        self.tally.add(other.tally);
        self.uncounted.extend(other.uncounted);
        self.first = self.first.into_iter().chain(other.first).min();
    }
}

/// What the visitors of a campaign did.
#[derive(Debug, Clone)]
pub(super) struct GatheredEvents {
    pub(super) events: Events,
    pub(super) tally: Tally,
    properties: Arc<BTreeSet<String>>,
}

/// What an event is to results.
#[derive(Debug, Clone, Copy)]
pub(super) enum EventUse {
    Bot,
    Counted { event: PackedEvent, is_late: bool },
}

impl GatheredEvents {
    /// None yet: they will have these properties.
    pub(super) fn none(properties: &BTreeSet<String>) -> Self {
        Self {
            events: Events::default(),
            tally: Tally::default(),
            properties: Arc::new(properties.clone()),
        }
    }
}

impl Gather for GatheredEvents {
    type Extract = EventUse;

    fn keep(&mut self, row: &Row<'_>) -> Option<EventUse> {
        let RowOccurrence::Event { name, revenue, value, properties } = row.what else {
            return None;
        };
        if row.marks.is_bot {
            return Some(EventUse::Bot);
        }
        if row.marks.is_previewed {
            return None;
        }
        let property = |name: &String| Some((name.clone(), properties.get(name)?.to_owned()));
        let properties: Texts = self.properties.iter().filter_map(property).collect();
        let (who, worth) = ((row.visitor, row.at), Worth { revenue, value });
        let event = self.events.make(who, name, worth, properties);
        Some(EventUse::Counted { event, is_late: row.marks.is_late })
    }

    fn add(&mut self, event: EventUse) {
        match event {
            EventUse::Bot => self.tally.bots += 1,
            EventUse::Counted { event, is_late } => {
                self.tally.late += u64::from(is_late);
                self.events.push(event);
            }
        }
    }

    fn append(&mut self, other: Self) {
        self.events.append(other.events);
        self.tally.add(other.tally);
    }
}
