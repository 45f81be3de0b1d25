//! Parquet files that requests bring: few bytes may be very many rows, or long ones.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use events::{ColumnNames, EventRow, named_columns};
use lake::{SENT_ROWS_AT_MOST, TableError, read_table, read_table_bytes};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

/// A file with as many rows, each with the name of its place.
fn file(rows: usize, name: impl Fn(usize) -> String) -> Vec<u8> {
    let schema = "message m { required binary visitor (UTF8); required binary time (UTF8); required binary name (UTF8); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let packing = Compression::ZSTD(ZstdLevel::default());
    let properties = Arc::new(WriterProperties::builder().set_compression(packing).build());
    let mut file = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    let mut group = file.next_row_group().unwrap();
    let all = |value: &str| vec![ByteArray::from(value); rows];
    let names = (0..rows).map(|place| ByteArray::from(name(place).as_str())).collect();
    for values in [all("ada"), all("2026-11-22T09:30:00Z"), names] {
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&values, None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    file.into_inner().unwrap()
}

/// A file in which each row is the same.
fn same_rows(rows: usize, name: &str) -> Vec<u8> {
    file(rows, |_| name.to_owned())
}

fn sent(bytes: &[u8]) -> Result<usize, TableError> {
    let read = read_table_bytes::<EventRow>(bytes, &ColumnNames::default())?;
    assert_eq!(read.faults, []);
    Ok(read.rows.len())
}

#[test]
fn a_file_that_is_sent_has_so_many_rows_and_no_more() {
    let most = usize::try_from(SENT_ROWS_AT_MOST).unwrap();

    assert_eq!(sent(&same_rows(most, "purchase")).unwrap(), most);
    let more = sent(&same_rows(most + 1, "purchase")).unwrap_err();

    let told = "a Parquet file of a request has at most 100000 rows and 64 MiB, unpacked, in the columns that are read; hint: split it, or import it with `assay events import`";
    assert_eq!(more.to_string(), told);
}

#[test]
fn one_long_text_in_very_many_rows_is_refused() {
    let bytes = same_rows(50_000, &"x".repeat(2_000));
    assert!(bytes.len() < 10_000, "{}", bytes.len());

    assert!(matches!(sent(&bytes), Err(TableError::TooLong)));
}

#[test]
fn a_column_that_two_fields_name_has_its_value_for_both_in_every_row() {
    let name = |place| format!("order-{place}");
    let both = named_columns([("id".to_owned(), "name".to_owned())]).unwrap();

    let read = read_table_bytes::<EventRow>(&file(2_000, name), &both).unwrap();

    assert_eq!((read.rows.len(), read.faults.len()), (2_000, 0));
    for (place, row) in read.rows.iter().enumerate() {
        assert_eq!((&row.name, row.id.as_ref()), (&name(place), Some(&name(place))));
    }
}

#[test]
fn a_footer_that_is_longer_than_any_is_not_read() {
    let footer = vec![0; 600 * 1024];
    let length = u32::try_from(footer.len()).unwrap().to_le_bytes();

    let read = sent(&[b"PAR1", &footer[..], &length, b"PAR1"].concat());

    assert!(matches!(read, Err(TableError::TooLong)));
}

#[test]
fn files_of_all_tools_are_read_of_a_request_as_from_a_disk() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign");
    let columns = [("time", "at"), ("name", "what"), ("value", "total")];
    let columns = columns.map(|(field, column)| (field.to_owned(), column.to_owned()));
    let (own, named) = (ColumnNames::default(), named_columns(columns).unwrap());

    for file in folder.read_dir().unwrap() {
        let path = file.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        for names in [&own, &named] {
            let from_disk = read_table::<EventRow>(&path, names).map_err(|error| error.to_string());
            let of_request = read_table_bytes(&bytes, names).map_err(|error| error.to_string());
            assert_eq!(of_request, from_disk, "{path:?}");
        }
    }
}
