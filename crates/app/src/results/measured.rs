//! What results are made of, whoever measured it.

use std::collections::BTreeMap;

use events::{Amount, Day, EventRow, ExposureRow, Millis, Record, Recorded, Visitor};

use crate::results::weights::WeightHistory;

/// What was measured.
#[derive(Debug, Default)]
pub struct Measured {
    pub(super) exposures: Vec<Shown>,
    pub(super) events: Vec<Done>,
    /// Today, where it is known: what is measured elsewhere ends with itself.
    pub(super) today: Option<Day>,
    /// The weights that visitors were drawn with, where their past is known.
    pub(super) weights: WeightHistory,
    /// What does not count, as far as the log of this server tells.
    pub(super) left_out: Option<LeftOut>,
}

/// A visitor was given a variation.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) visitor: Visitor,
    pub(super) at: Millis,
    pub(super) what: ShownAs,
    /// Whether the visitor is held back from the campaign, and saw nothing of it.
    pub(super) is_held_back: bool,
}

/// How the variation is named.
#[derive(Debug)]
pub(super) enum ShownAs {
    Ids { experiment: u64, variation: u64 },
    Names { experiment: Option<String>, variation: String },
}

/// A visitor did something.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) visitor: Visitor,
    pub(super) at: Millis,
    pub(super) name: String,
    pub(super) value: Option<Amount>,
    pub(super) revenue: Option<i64>,
    pub(super) properties: BTreeMap<String, String>,
}

/// Events that do not count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LeftOut {
    /// Of programs.
    pub(super) bots: u64,
    /// Exposures that the page or a preview forced.
    pub(super) forced: u64,
}

impl ShownAs {
    /// What the variation is called.
    pub(super) fn variation(&self) -> String {
        match self {
            Self::Ids { variation, .. } => variation.to_string(),
            Self::Names { variation, .. } => variation.clone(),
        }
    }
}

impl Measured {
    /// What rows of other tools say.
    #[must_use]
    pub fn of_rows(exposures: &[ExposureRow], events: &[EventRow]) -> Self {
        // Results of files know visitors within one run only, so no key hides them.
        let visitor = |id: &str| Visitor::of(&[0; 32], id);
        let exposures = exposures.iter().map(|row| {
            let (experiment, variation) = (row.experiment.clone(), row.variation.clone());
            let what = ShownAs::Names { experiment, variation };
            Shown { visitor: visitor(&row.visitor), at: row.at, what, is_held_back: false }
        });
        let events = events.iter().map(|row| Done {
            visitor: visitor(&row.visitor),
            at: row.at,
            name: row.name.clone(),
            value: row.value,
            revenue: row.revenue,
            properties: row.properties.clone(),
        });
        Self { exposures: exposures.collect(), events: events.collect(), ..Self::default() }
    }

    /// The last day on which anything happened.
    pub(super) fn newest_day(&self) -> Option<Day> {
        let shown = self.exposures.iter().map(|shown| shown.at);
        shown.chain(self.events.iter().map(|done| done.at)).max().map(Millis::day)
    }

    /// What came to this server until today, with the weights of its past.
    pub(super) fn of_records(records: Vec<Record>, today: Day, weights: WeightHistory) -> Self {
        let (mut measured, mut left_out) = (Self::default(), LeftOut::default());
        for Record { visitor, at, what, marks, .. } in records {
            if marks.is_bot {
                left_out.bots += 1;
                continue;
            }
            match what {
                Recorded::Exposure { .. } if marks.is_forced || marks.is_previewed => {
                    left_out.forced += 1;
                }
                Recorded::Exposure { experiment, variation, .. } => {
                    let what = ShownAs::Ids { experiment, variation };
                    let is_held_back = marks.is_held_back;
                    measured.exposures.push(Shown { visitor, at, what, is_held_back });
                }
                Recorded::Event { .. } if marks.is_previewed => {}
                Recorded::Event { name, revenue, value, properties } => {
                    let done = Done { visitor, at, name, value, revenue, properties };
                    measured.events.push(done);
                }
            }
        }
        Self { left_out: Some(left_out), today: Some(today), weights, ..measured }
    }
}
