//! An event as it is kept: its names resolved to ids, its time by our clock, its visitor a number.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Amount, EventId, Marks, Millis, Visitor};

/// An event as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// By which it is counted once.
    pub id: EventId,
    /// Who.
    pub visitor: Visitor,
    /// When it happened, by our clock.
    pub at: Millis,
    /// When it came.
    pub received: Millis,
    /// What happened.
    pub what: Recorded,
    /// What is to be known of it.
    pub marks: Marks,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Recorded {
    /// The visitor was given a variation.
    Exposure {
        /// The id of the campaign.
        campaign: u64,
        /// The id of the experiment.
        experiment: u64,
        /// The id of the variation.
        variation: u64,
    },
    /// The visitor did something.
    Event {
        /// The key of the event.
        name: String,
        /// In the currency's smallest unit.
        revenue: Option<i64>,
        /// Whatever the site counts.
        value: Option<Amount>,
        /// What else the site tells.
        properties: BTreeMap<String, String>,
    },
}

/// One record of each event, in the order of visitors and times: those of one visitor with the same id are the same event, told twice.
#[must_use]
pub fn without_doubles(mut records: Vec<Record>) -> Vec<Record> {
    records.sort_by_key(|record| (record.visitor, record.id, record.received, record.at));
    records.dedup_by_key(|record| (record.visitor, record.id));
    records.sort_by_key(|record| (record.visitor, record.at, record.id));
    records
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Record, Recorded, without_doubles};
    use crate::{EventId, Marks, Millis, Visitor};

    fn record((visitor, id, at): (i64, u8, i64)) -> Record {
        Record {
            id: EventId::of(&id.to_string()),
            visitor: Visitor::from_number(visitor),
            at: Millis(at),
            received: Millis(at),
            what: Recorded::Exposure { campaign: 1, experiment: 2, variation: 3 },
            marks: Marks::default(),
        }
    }

    #[test]
    fn an_event_that_came_twice_is_kept_as_it_came_first() {
        let came = [(1, 7, 30), (1, 7, 20), (2, 7, 10), (1, 8, 5)].map(record);

        let kept = without_doubles(came.to_vec());

        assert_eq!(kept, [(1, 8, 5), (1, 7, 20), (2, 7, 10)].map(record));
    }

    proptest! {
        #[test]
        fn neither_order_nor_repetition_matters(
            (once, shuffled) in prop::collection::vec((0..4_i64, 0..6_u8, 0..9_i64), 0..30)
                .prop_flat_map(|once| (Just(once.clone()), Just([once.clone(), once].concat()).prop_shuffle())),
        ) {
            let records = |told: Vec<(i64, u8, i64)>| told.into_iter().map(record).collect();

            prop_assert_eq!(without_doubles(records(once)), without_doubles(records(shuffled)));
        }
    }
}
