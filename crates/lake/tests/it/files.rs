//! What is written is read again.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use events::{
    Amount, Browser, Day, Marks, Millis, Occurrence, Properties, Record, UserAgent, Visitor,
    without_doubles,
};
use lake::{Only, Wanted, compact_files, read_file, write_file};
use proptest::prelude::*;
use tempfile::tempdir;

use crate::given::{DAY, exposure_to, purchase, read, records};

fn by_visitor(records: Vec<Record>) -> Vec<Record> {
    without_doubles(records)
}

pub(crate) fn wanted() -> impl Strategy<Value = Wanted> {
    let experiments = prop_oneof![
        Just(Only::All),
        prop::collection::btree_set(0..5_u64, 0..3).prop_map(Only::These)
    ];
    let names = prop_oneof![
        Just(Only::All),
        prop::collection::btree_set(prop_oneof!["[a-cé]{1,2}", Just("z".repeat(80))], 0..3)
            .prop_map(Only::These)
    ];
    let visitor = || prop_oneof![0..20_i64, Just(i64::MAX)].prop_map(Visitor::from_number);
    (experiments, names, visitor(), visitor()).prop_map(|(exposures, events, one, other)| Wanted {
        exposures,
        events,
        visitors: one.min(other)..=one.max(other),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_written_record_is_read_once(records in records(60), wanted in wanted()) {
        let folder = tempdir().unwrap();

        let file = write_file(folder.path(), "1000", DAY, records.clone()).unwrap();

        let kept = without_doubles(records);
        let path = folder.path().join(&file.name);
        prop_assert_eq!(file.rows, kept.len() as u64);
        prop_assert_eq!(file.bytes, fs::metadata(&path).unwrap().len());
        prop_assert_eq!(&by_visitor(read(&path, &Wanted::all())), &kept);
        let some: Vec<_> = kept.into_iter().filter(|record| wanted.has(record)).collect();
        prop_assert_eq!(by_visitor(read(&path, &wanted)), some);
    }
}

#[test]
fn files_of_earlier_schemas_are_read_and_made_into_one_with_later_ones() {
    let folder = tempdir().unwrap();
    let [first, second] = [1, 2].map(|schema| {
        let name = format!("schema-{schema}.parquet");
        let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old").join(&name);
        fs::copy(&old, folder.path().join(&name)).unwrap();
        (name, read(&old, &Wanted::all()))
    });
    let agent = UserAgent { browser: Some(Browser::Safari), device: None };
    let what =
        Occurrence::Exposure { campaign: 1, experiment: 2, variation: 3, agent, page: Some(4) };
    let marks = Marks { may_flicker: true, ..Marks::default() };
    let known = Record { what, marks, ..exposure_to(2, 1, 1) };
    let new = write_file(folder.path(), "1000", DAY, vec![known.clone()]).unwrap().name;

    let one = compact_files(folder.path(), "1000", DAY, &[first.0, second.0, new]).unwrap();

    let exposures = |records: &[Record]| -> Vec<(UserAgent, Option<u64>)> {
        let each = records.iter().filter_map(|one| match one.what {
            Occurrence::Exposure { agent, page, .. } => Some((agent, page)),
            Occurrence::Event { .. } => None,
        });
        each.collect()
    };
    assert_eq!((first.1.len(), second.1.len()), (670, 40));
    assert_eq!(exposures(&first.1), vec![(UserAgent::default(), None); 126]);
    let of_safari = exposures(&second.1);
    assert_eq!(of_safari.len(), 30);
    let is_known = |(agent, page): &(UserAgent, Option<u64>)| {
        agent.browser == Some(Browser::Safari) && page.is_none()
    };
    assert!(of_safari.iter().all(is_known));
    assert!([&first.1, &second.1].into_iter().flatten().all(|one| !one.marks.may_flicker));
    let all = [first.1, second.1, vec![known]].concat();
    assert_eq!(by_visitor(read(&folder.path().join(one.name), &Wanted::all())), by_visitor(all));
}

#[test]
fn an_event_of_an_older_schema_is_recognised_when_sent_again() {
    let (folder, other) = (tempdir().unwrap(), tempdir().unwrap());
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old/schema-2.parquet");
    fs::copy(&old, folder.path().join("old.parquet")).unwrap();
    let records = read(&old, &Wanted::all());
    let again =
        records.iter().map(|one| Record { received: Millis(one.received.0 + 1), ..one.clone() });
    let again = write_file(folder.path(), "1000", DAY, again.collect()).unwrap().name;

    let one = compact_files(folder.path(), "1000", DAY, &["old.parquet".to_owned(), again]);

    assert_eq!(one.unwrap(), write_file(other.path(), "1000", DAY, records).unwrap());
}

#[test]
fn the_same_records_make_the_same_file() {
    let (folder, other) = (tempdir().unwrap(), tempdir().unwrap());
    let records: Vec<_> = (0..9).map(|visitor| purchase(visitor, 7)).collect();
    let shuffled = records.iter().rev().chain(&records).cloned().collect();

    let first = write_file(folder.path(), "1000", DAY, records).unwrap();
    let second = write_file(other.path(), "1000", DAY, shuffled).unwrap();

    assert_eq!(first, second);
    let name = first.name.strip_prefix("project=1000/day=2026-11-22/").unwrap();
    assert_eq!(name, format!("{}.parquet", hex::encode(&first.sha256[..16])));
    let mode = fs::metadata(folder.path().join(&first.name)).unwrap().permissions().mode();
    assert_eq!(mode & 0o137, 0, "others cannot read it: {mode:o}");
}

#[test]
fn row_groups_without_anything_wanted_are_not_read() {
    let folder = tempdir().unwrap();
    let exposures = (0..140_000_i64)
        .map(|visitor| exposure_to(1 + visitor.cast_unsigned() % 2, visitor, visitor));
    let records: Vec<_> =
        exposures.chain((0..70_000).map(|visitor| purchase(visitor, 1))).collect();
    let file = write_file(folder.path(), "1000", DAY, records).unwrap();
    let path = folder.path().join(&file.name);
    // The last row group has the second experiment only; it is damaged now.
    let groups = 210_000_usize.div_ceil(65_536);
    let mut bytes = fs::read(&path).unwrap();
    let footer = u32::from_le_bytes(bytes[bytes.len() - 8..][..4].try_into().unwrap()) as usize;
    let place = bytes.len() - 8 - footer - 1;
    bytes[place] ^= 1;
    fs::write(&path, &bytes).unwrap();

    let these = |experiments: &[u64], names: &[&str]| Wanted {
        exposures: Only::These(experiments.iter().copied().collect()),
        events: Only::These(names.iter().map(|name| (*name).to_owned()).collect()),
        visitors: Wanted::all_visitors(),
    };
    let count = |wanted: &Wanted| -> Result<Vec<usize>, String> {
        let groups = read_file(&path, wanted).unwrap();
        groups
            .map(|group| group.map(|group| group.len()).map_err(|error| error.to_string()))
            .collect()
    };
    assert_eq!(count(&these(&[], &["purchase"])), Ok(vec![65_536, 4_464]));
    assert_eq!(count(&these(&[1], &[])).map(|groups| groups.iter().sum()), Ok(70_000));
    let damaged = format!("the file is damaged: row group {} is not as it was written", groups - 1);
    assert_eq!(count(&these(&[2], &[])), Err(damaged.clone()));
    assert_eq!(count(&these(&[], &["signup"])), Ok(vec![]));
    let few =
        Wanted { visitors: Visitor::from_number(0)..=Visitor::from_number(99), ..Wanted::all() };
    assert_eq!(count(&few).map(|groups| groups.iter().sum()), Ok(200));
}

#[test]
fn what_cannot_be_written_leaves_nothing() {
    let folder = tempdir().unwrap();
    let large = |record: Record| Record {
        what: Occurrence::Event {
            name: "purchase".to_owned(),
            revenue: None,
            value: Some(Amount::from_millionths(1_000_000_000_000_000_000)),
            properties: Properties::default(),
        },
        ..record
    };
    let refusals = [
        ("1000", DAY, vec![]),
        ("1000", Day(DAY.0 + 1), vec![purchase(1, 1)]),
        ("../1000", DAY, vec![purchase(1, 1)]),
        ("1000", DAY, vec![large(purchase(1, 1))]),
        ("1000", DAY, vec![exposure_to(u64::MAX, 1, 1)]),
    ];

    for (project, day, records) in refusals {
        let refused = write_file(folder.path(), project, day, records).unwrap_err();
        assert_eq!(refused.kind(), std::io::ErrorKind::InvalidInput, "{refused}");
    }

    let days = folder.path().join("project=1000");
    for day in fs::read_dir(days).unwrap() {
        assert_eq!(fs::read_dir(day.unwrap().path()).unwrap().count(), 0);
    }
}

#[test]
fn a_project_has_a_folder_for_each_day() {
    let folder = tempdir().unwrap();
    let mut names = BTreeSet::new();
    for day in [0, 20_000, 20_779] {
        let at = events::Millis(i64::from(day) * 86_400_000);
        let record = Record { at, ..purchase(1, 1) };
        let file = write_file(folder.path(), "1000", Day(day), vec![record]).unwrap();
        names.insert(file.name.split('/').nth(1).unwrap().to_owned());
    }

    assert_eq!(Vec::from_iter(names), ["day=1970-01-01", "day=2024-10-04", "day=2026-11-22"]);
}
