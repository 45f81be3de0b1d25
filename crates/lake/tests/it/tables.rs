//! Parquet files of others. Those in `tests/foreign/` were written by `PyArrow` 26, Polars 2.1 and `DuckDB` 2.0, each about 2026-11-22 at 09:30.

use std::fs;
use std::path::{Path, PathBuf};

use events::{ColumnNames, EventRow, ExposureRow, Millis, ReadRows, UserAgent, named_columns};
use lake::{TableError, read_table};
use proptest::prelude::*;
use tempfile::tempdir;

const AT: i64 = 1_795_339_800_000;

fn foreign(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign").join(name)
}

fn exposures(name: &str) -> ReadRows<ExposureRow> {
    read_table(&foreign(name), &ColumnNames::default()).unwrap()
}

fn events(name: &str, names: &[(&str, &str)]) -> ReadRows<EventRow> {
    read_table(&foreign(name), &named(names)).unwrap()
}

fn named(columns: &[(&str, &str)]) -> ColumnNames {
    let columns = columns.iter().map(|(field, column)| ((*field).to_owned(), (*column).to_owned()));
    named_columns(columns).unwrap()
}

fn faults<R>(read: &ReadRows<R>) -> Vec<String> {
    read.faults.iter().map(ToString::to_string).collect()
}

/// Visitor, time, name, and value in millionths.
fn done(read: &ReadRows<EventRow>) -> Vec<(&str, i64, &str, Option<i64>)> {
    let row = |row: &'_ EventRow| row.value.map(events::Amount::millionths);
    read.rows.iter().map(|one| (&*one.visitor, one.at.0, &*one.name, row(one))).collect()
}

#[test]
fn exposures_with_nanoseconds_and_dictionaries_are_read() {
    let read = exposures("arrow-nanoseconds-snappy.parquet");

    let row = |visitor: &str, at, experiment: Option<&str>, variation: &str| ExposureRow {
        visitor: visitor.to_owned(),
        at: Millis(at),
        experiment: experiment.map(str::to_owned),
        variation: variation.to_owned(),
        agent: UserAgent::default(),
        page: None,
        is_held_back: false,
    };
    assert_eq!(read.rows, [row("ada", AT, Some("hero"), "1"), row("bob", AT + 1_500, None, "2")]);
    assert_eq!(faults(&read), ["line 3: `time` is empty"]);
}

#[test]
fn moments_and_visitors_of_older_tools_are_read() {
    let read = exposures("arrow-int96-gzip.parquet");

    let told: Vec<_> = read.rows.iter().map(|row| (row.visitor.as_str(), row.at.0)).collect();
    assert_eq!(told, [("18446744073709551615", AT), ("7", AT + 1_500)]);
}

#[test]
fn values_are_exact_whatever_they_are_kept_as() {
    let decimals = events("arrow-decimal-lz4.parquet", &[]);
    let expected =
        [("ada", AT, "purchase", Some(19_990_000)), ("bob", AT + 1_500, "purchase", None)];
    assert_eq!(done(&decimals), expected);

    let floats = events("polars-floats.parquet", &[]);
    let midnight = AT - 34_200_000;
    let expected =
        [("ada", midnight, "purchase", Some(19_990_000)), ("cleo", midnight, "view", None)];
    assert_eq!(done(&floats), expected);
    let fault = "line 2: `10000000000` in `value`: this is further from zero than 1000000000";
    assert_eq!(faults(&floats), [fault]);
}

#[test]
fn columns_have_the_names_that_are_told() {
    let names = [("visitor", "user_id"), ("time", "ts"), ("name", "what"), ("value", "total")];
    let read = events("duckdb-zstd.parquet", &names);

    let visitor = "00010203-0405-0607-0809-0a0b0c0d0e0f";
    assert_eq!(done(&read), [(visitor, AT, "purchase", Some(12_500_000))]);
    assert_eq!(faults(&read), ["line 2: `visitor` is empty"]);
}

#[test]
fn wide_decimals_and_narrow_floats_are_read_as_far_as_they_can_be_told() {
    let read = events("arrow-decimal256-brotli.parquet", &[("properties.worth", "worth")]);

    let told = [("ada", AT, "purchase", Some(19_990_000)), ("bob", AT, "refund", Some(-5_000_000))];
    assert_eq!(done(&read), told);
    let worths: Vec<_> = read.rows.iter().map(|row| row.properties["worth"].as_str()).collect();
    assert_eq!(worths, ["12.5", "-0.25"]);
    let huge = events("arrow-decimal256-brotli.parquet", &[("value", "huge")]);
    assert_eq!(faults(&huge)[0], "line 1: `huge` is a number of more than 128 bits");
}

#[test]
fn a_value_that_cannot_be_read_takes_its_own_row_and_no_other() {
    let read = events("duckdb-no-dates.parquet", &[]);

    assert_eq!(done(&read), [("ada", AT, "buy", None), ("fay", AT, "buy", None)]);
    assert_eq!(read.lines, [1, 7]);
    let expected = [
        "line 2: `time` is a moment after 9999-12-30",
        "line 3: `time` is a moment after 9999-12-30",
        "line 4: `time` is a moment before the year -9999",
        "line 5: `visitor` is not valid UTF-8",
        "line 6: `0001-01-01T00:00:00Z` in `time` is not of the years 1990 to 2099",
    ];
    assert_eq!(faults(&read), expected);
}

#[test]
fn floating_point_numbers_are_ids_as_far_as_each_digit_is_kept() {
    let ids = |column: &str| {
        let read = events("arrow-float-ids.parquet", &[("id", column)]);
        let ids = read.rows.iter().map(|row| (row.visitor.clone(), row.id.clone()));
        (ids.collect::<Vec<_>>(), faults(&read))
    };
    let own = |visitor: &str, id: Option<&str>| (visitor.to_owned(), id.map(str::to_owned));

    let (read, faults) = ids("order");
    let (halves, of_halves) = ids("ticket");

    let large = "9007199254740991";
    assert_eq!(read, [own("7", None), own(large, Some("16777215")), own("8", None)]);
    let told = |line: u64, column: &str| {
        format!(
            "line {line}: `{column}` is a floating-point number that is not whole or has lost digits; hint"
        )
    };
    let columns = [(3, "visitor"), (4, "visitor"), (5, "visitor"), (6, "order")];
    assert_eq!(faults.len(), columns.len());
    for (fault, (line, column)) in faults.iter().zip(columns) {
        assert!(fault.starts_with(&told(line, column)), "{fault}");
    }
    assert_eq!(halves, [own("7", Some("1")), own(large, Some("2")), own("8", Some("2047"))]);
    assert!(of_halves[3].starts_with(&told(7, "ticket")), "{of_halves:?}");
}

#[test]
fn properties_that_are_asked_for_are_read() {
    let read = events(
        "polars-floats.parquet",
        &[("properties.worth", "value"), ("properties.plan", "plan")],
    );

    let told: Vec<_> = read.rows.iter().map(|row| row.properties.clone()).collect();
    let worth = [("worth".to_owned(), "19.99".to_owned())].into();
    assert_eq!(told, [worth, std::collections::BTreeMap::new()], "a file need not have them");
}

#[test]
fn a_table_without_the_column_that_is_named_has_the_fields_own() {
    let named = events("polars-floats.parquet", &[("visitor", "user_id")]);

    assert_eq!(done(&named), done(&events("polars-floats.parquet", &[])));
    assert_eq!(named.unseen, ["user_id".to_owned()].into());
}

#[test]
fn columns_with_capital_letters_are_found_and_nan_is_no_value() {
    let read = events("polars-capitals-nan.parquet", &[]);

    let expected =
        [("ada", AT, "purchase", Some(19_990_000)), ("bob", AT + 1_500, "purchase", None)];
    assert_eq!((done(&read), faults(&read)), (expected.to_vec(), Vec::new()));
}

#[test]
fn what_assay_wrote_is_refused_with_what_to_do() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old/schema-1.parquet");

    let told = read_table::<EventRow>(&own, &ColumnNames::default()).unwrap_err().to_string();

    assert!(told.contains("hint: split them by `kind`"), "{told}");
}

#[test]
fn a_missing_column_or_an_unreadable_table_is_reported() {
    let told = |name: &str, names: &[(&str, &str)]| -> String {
        let read = read_table::<ExposureRow>(&foreign(name), &named(names));
        read.unwrap_err().to_string()
    };

    let missing = "there is no column `visitor`, only `user_id`, `ts`, `what`, `total`";
    assert_eq!(told("duckdb-zstd.parquet", &[]), missing);
    let browser = [("variation", "browser.list.element")];
    let list = "column `browser.list.element` has no texts, numbers up to 128 bits or moments";
    assert_eq!(told("arrow-nanoseconds-snappy.parquet", &browser), list);
    let this = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let read = read_table::<ExposureRow>(&this, &ColumnNames::default());
    assert!(matches!(read, Err(TableError::Damaged(_))));
    let read = read_table::<ExposureRow>(&foreign("missing.parquet"), &ColumnNames::default());
    assert!(matches!(read, Err(TableError::Io(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_damage_ends_the_program(
        name in prop::sample::select(&["arrow-nanoseconds-snappy", "arrow-int96-gzip", "arrow-decimal-lz4", "arrow-decimal256-brotli", "duckdb-zstd", "duckdb-no-dates", "arrow-float-ids", "polars-floats"][..]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1..=u8::MAX), 0..4),
        end: prop::sample::Index,
        is_cut: bool,
    ) {
        let folder = tempdir().unwrap();
        let mut bytes = fs::read(foreign(&format!("{name}.parquet"))).unwrap();
        for (place, change) in changes {
            let place = place.index(bytes.len());
            bytes[place] ^= change;
        }
        if is_cut {
            bytes.truncate(end.index(bytes.len()));
        }
        let path = folder.path().join("damaged.parquet");
        fs::write(&path, bytes).unwrap();

        let _ = read_table::<ExposureRow>(&path, &ColumnNames::default());
        let _ = read_table::<EventRow>(&path, &ColumnNames::default());
    }
}
