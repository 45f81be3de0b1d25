//! The columns of a file, and how each is written.

use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, TypePtr};

use crate::checksum::FOOTER_PLACEHOLDER;

/// The number of the schema. Later ones have more columns, which may be empty; a column never changes its name or its meaning.
pub const SCHEMA: u32 = 3;

/// Rows that are read, and skipped, together.
pub(crate) const ROWS_PER_GROUP: usize = 65_536;

/// Rows of a page, of which a reader has one of each column in memory.
const ROWS_PER_PAGE: usize = 4_096;

/// So many bytes of texts end a row group, too: its rows are in memory when it is written.
pub(crate) const TEXT_PER_GROUP: usize = 8 * 1024 * 1024;

pub(crate) const SCHEMA_KEY: &str = "assay.schema";
pub(crate) const EVENT: &str = "event";
pub(crate) const EXPOSURE: &str = "exposure";

/// `value` has its millionths as a decimal number: exact, and readable without knowing that.
const COLUMNS: &str = "message event {
    required binary kind (STRING);
    optional int64 experiment_id;
    optional binary name (STRING);
    required int64 visitor;
    required int64 time (TIMESTAMP(MILLIS,true));
    optional int64 campaign_id;
    optional int64 variation_id;
    optional int64 revenue;
    optional int64 value (DECIMAL(18,6));
    optional group properties (MAP) {
        repeated group key_value {
            required binary key (STRING);
            required binary value (STRING);
        }
    }
    required boolean is_held_back;
    required boolean is_forced;
    required boolean is_previewed;
    required boolean is_bot;
    required boolean is_trusted;
    required boolean is_late;
    required int64 received (TIMESTAMP(MILLIS,true));
    required fixed_len_byte_array(16) event_id;
    optional binary browser (STRING);
    optional binary device (STRING);
    optional int64 page_id;
    required boolean may_flicker;
}";

/// The largest decimal number of 18 digits, in millionths.
pub(crate) const MILLIONTHS_AT_MOST: u64 = 999_999_999_999_999_999;

pub(crate) const PROPERTY_NAMES: &str = "properties.key_value.key";
pub(crate) const PROPERTY_TEXTS: &str = "properties.key_value.value";

/// The first columns, by which rows are sorted.
const SORTED_BY: [i32; 5] = [0, 1, 2, 3, 4];

pub(crate) fn columns() -> Result<TypePtr, ParquetError> {
    Ok(Arc::new(parse_message_type(COLUMNS)?))
}

pub(crate) fn properties() -> Result<WriterPropertiesPtr, ParquetError> {
    let path = |name: &str| ColumnPath::from(name);
    let note = |key: &str, value: String| KeyValue::new(key.to_owned(), value);
    let sorted_by = SORTED_BY.map(|column_idx| SortingColumn {
        column_idx,
        descending: false,
        nulls_first: true,
    });
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("assay ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_max_row_group_row_count(Some(ROWS_PER_GROUP))
        // Who merges files has a page of each column of each file in memory.
        .set_data_page_row_count_limit(ROWS_PER_PAGE)
        // Groups are small enough: no reader needs an index of their pages.
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_sorting_columns(Some(sorted_by.to_vec()))
        .set_key_value_metadata(Some(vec![
            note(SCHEMA_KEY, SCHEMA.to_string()),
            note(crate::checksum::FOOTER_KEY, FOOTER_PLACEHOLDER.to_owned()),
        ]));
    // Almost all of these differ, and differ little from their neighbours.
    for name in ["visitor", "time", "received"] {
        properties = properties
            .set_column_dictionary_enabled(path(name), false)
            .set_column_encoding(path(name), Encoding::DELTA_BINARY_PACKED);
    }
    properties = properties.set_column_dictionary_enabled(path("event_id"), false);
    properties =
        properties.set_column_statistics_enabled(path("event_id"), EnabledStatistics::None);
    for names in [["properties", "key_value", "key"], ["properties", "key_value", "value"]] {
        let path = ColumnPath::new(names.map(str::to_owned).to_vec());
        properties = properties.set_column_statistics_enabled(path, EnabledStatistics::None);
    }
    Ok(Arc::new(properties.build()))
}
