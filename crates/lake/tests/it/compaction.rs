//! One file of several has what they have.

use std::collections::BTreeMap;
use std::fs;

use events::{Occurrence, Record, without_doubles};
use lake::{COMPACTED_AT_MOST, CompactError, Wanted, compact_files, read_file, write_file};
use proptest::prelude::*;
use tempfile::tempdir;

use crate::given::{DAY, exposure_to, purchase, read, records};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_file_is_as_if_it_had_been_written_at_once(parts in prop::collection::vec(records(30), 1..6)) {
        let (folder, other) = (tempdir().unwrap(), tempdir().unwrap());
        // A record that differs in nothing but what it says may stay or go.
        let parts: Vec<_> = parts.into_iter().enumerate().map(|(number, mut records)| {
            for record in &mut records {
                record.received.0 = record.received.0 / 8 * 8 + i64::try_from(number).unwrap();
            }
            without_doubles(records)
        }).collect();
        let write = |records: &Vec<Record>| write_file(folder.path(), "1000", DAY, records.clone()).unwrap().name;
        let names: Vec<_> = parts.iter().map(write).collect();

        let one = compact_files(folder.path(), "1000", DAY, &names).unwrap();

        prop_assert_eq!(one, write_file(other.path(), "1000", DAY, parts.concat()).unwrap());
        for name in names {
            prop_assert!(folder.path().join(name).exists());
        }
    }
}

#[test]
fn doubles_are_found_across_row_groups_and_ranges_of_visitors() {
    // Visitors of all ranges, and more rows than are looked at at a time.
    let visitor = |number: i64| number * (i64::MAX / 1_100_000);
    let half = 550_000;
    let first: Vec<_> = (0..half).map(|number| purchase(visitor(number), 1)).collect();
    let mut second: Vec<_> = (half..2 * half).map(|number| purchase(visitor(number), 1)).collect();
    // The same events, received earlier; and exposures with their ids, which are something else.
    let again = (0..half).step_by(1_000).map(|number| {
        let known = purchase(visitor(number), 1);
        Record { received: events::Millis(0), ..known }
    });
    let exposed =
        |known: &Record| Record { id: known.id, ..exposure_to(7, known.visitor.number(), 2) };
    let again: Vec<_> = again.collect();
    second.extend(again.iter().cloned());
    second.extend(again.iter().map(exposed));
    let folder = tempdir().unwrap();
    let names = [first, second]
        .map(|records| write_file(folder.path(), "1000", DAY, records).unwrap().name);

    let one = compact_files(folder.path(), "1000", DAY, &names).unwrap();

    assert_eq!(one.rows, 1_100_000 + again.len() as u64);
    let mut kept = read(&folder.path().join(one.name), &Wanted::all());
    kept.retain(|record| record.received.0 == 0 && matches!(record.what, Occurrence::Event { .. }));
    assert_eq!(kept, again);
}

/// A purchase with these properties.
fn described(visitor: i64, properties: BTreeMap<String, String>) -> Record {
    let known = purchase(visitor, 1);
    let Occurrence::Event { name, revenue, value, .. } = known.what else { unreachable!() };
    let what = Occurrence::Event { name, revenue, value, properties: properties.into() };
    Record { what, ..known }
}

/// The most rows of a row group, after two files of so many rows each became one.
fn most_rows_at_a_time(rows: i64, of: impl Fn(i64) -> BTreeMap<String, String>) -> usize {
    let folder = tempdir().unwrap();
    let parts = [0..rows, rows..2 * rows].map(|visitors| {
        visitors.map(|visitor| described(visitor, of(visitor))).collect::<Vec<_>>()
    });
    let names =
        parts.clone().map(|records| write_file(folder.path(), "1000", DAY, records).unwrap().name);
    let one = compact_files(folder.path(), "1000", DAY, &names).unwrap();
    let groups: Vec<_> = read_file(&folder.path().join(one.name), &Wanted::all())
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(groups.concat(), parts.concat());
    groups.iter().map(Vec::len).max().unwrap()
}

#[test]
fn rows_with_long_texts_are_read_and_made_into_one_few_at_a_time() {
    const BYTES: usize = 60_000;
    // A file of them is small, and what is in it large.
    let long = |visitor: i64| {
        let text = format!("{visitor}").repeat(BYTES);
        BTreeMap::from([("note".to_owned(), text[..BYTES].to_owned())])
    };

    let most = most_rows_at_a_time(150, long);

    assert!(most * BYTES <= 9_000_000, "{most} rows of {BYTES} bytes are in memory at a time");
}

#[test]
fn rows_with_many_texts_are_read_and_made_into_one_few_at_a_time() {
    const TEXTS: usize = 30;
    let many = |_| (0..TEXTS).map(|number| (format!("p{number}"), "x".to_owned())).collect();

    let most = most_rows_at_a_time(6_000, many);

    assert!(most * TEXTS <= 300_000, "{most} rows of {TEXTS} texts are in memory at a time");
}

#[test]
fn a_damaged_file_is_named_and_nothing_is_written() {
    let folder = tempdir().unwrap();
    let write =
        |visitor| write_file(folder.path(), "1000", DAY, vec![purchase(visitor, 1)]).unwrap();
    let names = [1, 2].map(|visitor| write(visitor).name);
    let path = folder.path().join(&names[1]);
    let mut bytes = fs::read(&path).unwrap();
    bytes[9] ^= 1;
    fs::write(&path, bytes).unwrap();

    let error = compact_files(folder.path(), "1000", DAY, &names).unwrap_err();

    let damage = "the file is damaged: row group 0 is not as it was written";
    assert_eq!(error.to_string(), format!("`{}`: {damage}", names[1]));
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 2);
    let many = vec![names[0].clone(); COMPACTED_AT_MOST + 1];
    let error = compact_files(folder.path(), "1000", DAY, &many).unwrap_err();
    assert!(matches!(error, CompactError::TooMany(17)), "{error}");
}
