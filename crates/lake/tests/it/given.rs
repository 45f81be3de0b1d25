//! Records of one day, of any kind.

use events::{
    Amount, Browser, Day, Device, EventId, Marks, Millis, Occurrence, Properties, Record,
    UserAgent, Visitor,
};
use lake::{Records, Wanted, read_file};
use proptest::prelude::*;
use std::path::Path;

/// 2026-11-22.
pub(crate) const DAY: Day = Day(20_779);

pub(crate) const MILLIS_OF_DAY: i64 = 86_400_000;

fn marks() -> impl Strategy<Value = Marks> {
    any::<[bool; 7]>().prop_map(|marks| Marks {
        is_held_back: marks[0],
        is_forced: marks[1],
        is_previewed: marks[2],
        is_bot: marks[3],
        is_trusted: marks[4],
        is_late: marks[5],
        may_flicker: marks[6],
    })
}

fn event() -> impl Strategy<Value = Occurrence> {
    let properties = prop::collection::btree_map("[a-c]", ".{0,8}", 0..3);
    let value = prop::option::of(-1_000_000_000_000_000_i64..=1_000_000_000_000_000);
    // Names that are long and alike, for statistics that keep the beginnings of texts only.
    let name =
        prop_oneof!["[a-cé]{1,2}", Just("z".repeat(80)), Just(format!("{}a", "z".repeat(79)))];
    (name, any::<Option<i64>>(), value, properties).prop_map(
        |(name, revenue, value, properties)| Occurrence::Event {
            name,
            revenue,
            value: value.map(Amount::from_millionths),
            properties: properties.into(),
        },
    )
}

fn exposure() -> impl Strategy<Value = Occurrence> {
    let id = || prop_oneof![0..5_u64, Just(i64::MAX.cast_unsigned())];
    let browser = prop::option::of(prop::sample::select(&Browser::ALL[..]));
    let device = prop::option::of(prop::sample::select(&Device::ALL[..]));
    (id(), id(), id(), browser, device, prop::option::of(id())).prop_map(
        |(campaign, experiment, variation, browser, device, page)| {
            let agent = UserAgent { browser, device };
            Occurrence::Exposure { campaign, experiment, variation, agent, page }
        },
    )
}

/// Any records of the day.
pub(crate) fn records(at_most: usize) -> impl Strategy<Value = Vec<Record>> {
    let visitor = prop_oneof![0..20_i64, Just(i64::MAX)].prop_map(Visitor::from_number);
    let at =
        (0..MILLIS_OF_DAY).prop_map(|millis| Millis(i64::from(DAY.0) * MILLIS_OF_DAY + millis));
    let id = (0..40_u8).prop_map(|id| EventId::of(&id.to_string()));
    let record = (id, visitor, at, any::<i64>(), prop_oneof![event(), exposure()], marks())
        .prop_map(|(id, visitor, at, received, what, marks)| Record {
            id,
            visitor,
            at,
            received: Millis(received),
            what,
            marks,
        });
    prop::collection::vec(record, 1..at_most)
}

/// A purchase of a visitor at a moment of the day.
pub(crate) fn purchase(visitor: i64, millis: i64) -> Record {
    let at = Millis(i64::from(DAY.0) * MILLIS_OF_DAY + millis);
    Record {
        id: EventId::of(&format!("{visitor} {millis}")),
        visitor: Visitor::from_number(visitor),
        at,
        received: at,
        what: Occurrence::Event {
            name: "purchase".to_owned(),
            revenue: Some(1_999),
            value: Some(Amount::from_millionths(19_990_000)),
            properties: Properties::default(),
        },
        marks: Marks::default(),
    }
}

/// An exposure to an experiment.
pub(crate) fn exposure_to(experiment: u64, visitor: i64, millis: i64) -> Record {
    let (agent, page) = (UserAgent::default(), None);
    let what = Occurrence::Exposure { campaign: 1, experiment, variation: 3, agent, page };
    let id = EventId::of(&format!("{experiment} {visitor} {millis}"));
    Record { id, what, ..purchase(visitor, millis) }
}

/// The wanted records of a file.
pub(crate) fn read(path: &Path, wanted: &Wanted) -> Vec<Record> {
    let groups: Records = read_file(path, wanted).unwrap();
    groups.flat_map(Result::unwrap).collect()
}
