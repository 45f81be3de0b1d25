//! An event as it is kept: its names resolved to ids, its time by our clock, its visitor a number.

use serde::{Deserialize, Serialize};

use crate::{Amount, EventId, Marks, Millis, Properties, UserAgent, Visitor};

/// An event as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// By which it is counted once among those of the visitor that are about the same.
    pub id: EventId,
    /// Who.
    pub visitor: Visitor,
    /// When it happened, by our clock.
    pub at: Millis,
    /// When it came.
    pub received: Millis,
    /// What happened.
    pub what: Occurrence,
    /// What is to be known of it.
    pub marks: Marks,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Occurrence {
    /// The visitor was given a variation.
    Exposure {
        /// The id of the campaign.
        campaign: u64,
        /// The id of the experiment.
        experiment: u64,
        /// The id of the variation.
        variation: u64,
        /// With what the visitor came.
        #[serde(default, skip_serializing_if = "UserAgent::is_unknown")]
        agent: UserAgent,
        /// The id of the page on which it was given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        page: Option<u64>,
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
        properties: Properties,
    },
}

/// What an event is about. The same id may stand for the purchase and for the return of the same order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum About<N> {
    /// An exposure to the experiment with this id.
    Experiment(u64),
    /// The event with this name.
    Event(N),
}

impl Occurrence {
    /// What it is about.
    #[must_use]
    pub fn about(&self) -> About<&str> {
        match self {
            Self::Exposure { experiment, .. } => About::Experiment(*experiment),
            Self::Event { name, .. } => About::Event(name),
        }
    }
}

/// One record of each event, in the order of visitors and times: those of one visitor with the same id that are about the same are one event, told twice.
#[must_use]
pub fn without_doubles(mut records: Vec<Record>) -> Vec<Record> {
    let same = |one: &Record, other: &Record| {
        let of = |record: &Record| (record.visitor, record.id);
        of(one).cmp(&of(other)).then_with(|| one.what.about().cmp(&other.what.about()))
    };
    records.sort_by(|one, other| {
        same(one, other).then((one.received, one.at).cmp(&(other.received, other.at)))
    });
    records.dedup_by(|one, other| same(one, other).is_eq());
    records.sort_by_key(|record| (record.visitor, record.at, record.id));
    records
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Occurrence, Record, without_doubles};
    use crate::{Browser, EventId, Marks, Millis, Properties, UserAgent, Visitor};

    fn exposure(agent: UserAgent) -> Occurrence {
        Occurrence::Exposure { campaign: 1, experiment: 2, variation: 3, agent, page: None }
    }

    fn record((visitor, id, at): (i64, u8, i64)) -> Record {
        Record {
            id: EventId::of(&id.to_string()),
            visitor: Visitor::from_number(visitor),
            at: Millis(at),
            received: Millis(at),
            what: exposure(UserAgent::default()),
            marks: Marks::default(),
        }
    }

    #[test]
    fn an_event_that_came_twice_is_kept_as_it_came_first() {
        let came = [(1, 7, 30), (1, 7, 20), (2, 7, 10), (1, 8, 5)].map(record);

        let kept = without_doubles(came.to_vec());

        assert_eq!(kept, [(1, 8, 5), (1, 7, 20), (2, 7, 10)].map(record));
    }

    #[test]
    fn a_purchase_and_a_return_share_the_number_of_their_order() {
        let event = |name: &str| Occurrence::Event {
            name: name.to_owned(),
            revenue: None,
            value: None,
            properties: Properties::default(),
        };
        let (bought, shown) = (record((1, 7, 10)), record((1, 7, 30)));
        let bought = Record { what: event("purchase"), ..bought };
        let returned = Record { what: event("return"), at: Millis(20), ..bought.clone() };

        let told = [&bought, &returned, &shown, &bought].map(Clone::clone);

        assert_eq!(without_doubles(told.to_vec()), [bought, returned, shown]);
    }

    #[test]
    fn a_log_of_an_earlier_version_is_read_and_nothing_is_written_of_what_is_unknown() {
        let written = r#"{"Exposure":{"campaign":1,"experiment":2,"variation":3}}"#;
        let safari = UserAgent { browser: Some(Browser::Safari), device: None };

        assert_eq!(serde_json::to_string(&exposure(UserAgent::default())).unwrap(), written);
        let read: Occurrence = serde_json::from_str(written).unwrap();
        assert_eq!(read, exposure(UserAgent::default()));
        let known = serde_json::to_string(&exposure(safari)).unwrap();
        assert!(known.ends_with(r#""agent":{"browser":"safari"}}}"#), "{known}");
        assert_eq!(serde_json::from_str::<Occurrence>(&known).unwrap(), exposure(safari));
        let marks = r#"{"is_held_back":false,"is_forced":false,"is_previewed":false,"is_bot":true,"is_trusted":false,"is_late":false}"#;
        assert_eq!(
            serde_json::to_string(&serde_json::from_str::<Marks>(marks).unwrap()).unwrap(),
            marks
        );
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
