//! Rows that are shown are the records that are read.

use std::collections::{BTreeMap, BTreeSet};

use events::{Amount, EventId, Marks, Millis, Occurrence, Record, UserAgent, Visitor};
use lake::{Row, RowOccurrence, show_identities, show_rows, write_file};
use proptest::prelude::*;
use tempfile::tempdir;

use crate::files::wanted;
use crate::given::{DAY, read, records};

#[derive(Debug, PartialEq)]
enum RowDetails {
    Exposure(u64, u64, (UserAgent, Option<u64>)),
    Event(String, Option<i64>, Option<Amount>, BTreeMap<String, String>),
}

type RowValues = (EventId, Visitor, Millis, Millis, Marks, RowDetails);

/// A row with the properties of these names.
fn kept(row: &Row<'_>, names: &BTreeSet<String>) -> RowValues {
    let what = match row.what {
        RowOccurrence::Exposure { experiment, variation, agent, page } => {
            RowDetails::Exposure(experiment, variation, (agent, page))
        }
        RowOccurrence::Event { name, revenue, value, properties } => {
            let property = |name: &String| Some((name.clone(), properties.get(name)?.to_owned()));
            let properties = names.iter().filter_map(property).collect();
            RowDetails::Event(name.to_owned(), revenue, value, properties)
        }
    };
    (row.id, row.visitor, row.at, row.received, row.marks, what)
}

fn of_record(record: Record, names: &BTreeSet<String>) -> RowValues {
    let what = match record.what {
        Occurrence::Exposure { experiment, variation, agent, page, .. } => {
            RowDetails::Exposure(experiment, variation, (agent, page))
        }
        Occurrence::Event { name, revenue, value, properties } => {
            let wanted = properties.iter().filter(|(name, _)| names.contains(*name));
            let properties =
                wanted.map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
            RowDetails::Event(name, revenue, value, properties)
        }
    };
    (record.id, record.visitor, record.at, record.received, record.marks, what)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn rows_are_shown_as_they_are_read(
        records in records(60), wanted in wanted(), names in prop::collection::btree_set("[a-d]", 0..3),
    ) {
        let folder = tempdir().unwrap();
        let file = write_file(folder.path(), "1000", DAY, records.clone()).unwrap();
        let path = folder.path().join(&file.name);
        let read = read(&path, &wanted);

        let (mut rows, mut identities) = (Vec::new(), Vec::new());
        show_rows(&path, &wanted, &names, |row| rows.push(kept(row, &names))).unwrap();
        show_identities(&path, &wanted, |one| identities.push((one.id, one.visitor))).unwrap();

        let known: Vec<_> = read.iter().map(|record| (record.id, record.visitor)).collect();
        prop_assert_eq!(identities, known);
        let expected: Vec<_> = read.into_iter().map(|record| of_record(record, &names)).collect();
        prop_assert_eq!(rows, expected);
        for record in records {
            let seen = kept(&Row::from(&record), &names);
            prop_assert_eq!(seen, of_record(record, &names));
        }
    }
}
