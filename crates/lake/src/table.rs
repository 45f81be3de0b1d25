//! Reads rows of exposures and events from Parquet files of others: of warehouses, data frames and other tools.

mod text;

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::iter;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use events::{
    ColumnNames, ReadRows, Row, column_place, columns_named, is_id, refuse_export,
    wanted_properties,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::schema::types::SchemaDescriptor;
use thiserror::Error;

use crate::LakeError;
use crate::columns::{Group, Part, Source, place_of};
use crate::table::text::{Exactness, Fault, Text};
use crate::unpacked::Budget;

/// Rows of a file that a request brings: a row of text takes some forty bytes, and such a body has 4 MiB. They are in memory at once.
pub const SENT_ROWS_AT_MOST: u64 = 100_000;

/// Bytes that its columns unpack to, with the texts that are made of them: 16 times the longest body.
pub const UNPACKED_BYTES_AT_MOST: u64 = 64 * 1024 * 1024;

/// The footer of a file with a thousand columns is shorter. In memory it is some twenty times as long.
const FOOTER_BYTES_AT_MOST: u32 = 512 * 1024;

/// Why a table cannot be read.
#[derive(Debug, Error)]
pub enum TableError {
    /// The file cannot be opened, or the disk fails.
    #[error("cannot read the file: {0}")]
    Io(#[from] io::Error),
    /// It is something else, not all of it is there, or it is not as it was written.
    #[error("this is not a complete Parquet file: {0}")]
    Damaged(String),
    /// There is no column for a field.
    #[error("there is no column `{wanted}`, only {known}")]
    MissingColumn {
        /// What it should be called.
        wanted: String,
        /// The columns that there are.
        known: String,
    },
    /// Assay wrote it, with exposures and events in one file.
    #[error("{0}")]
    Export(&'static str),
    /// A column that is no text, moment, or number of such a size.
    #[error("column `{0}` has no texts, numbers up to 128 bits or moments")]
    WrongType(String),
    /// A request brought more than one may.
    #[error(
        "a Parquet file of a request has at most {SENT_ROWS_AT_MOST} rows and {} MiB, unpacked, in the columns that are read; hint: split it, or import it with `assay events import`",
        UNPACKED_BYTES_AT_MOST / (1024 * 1024)
    )]
    TooLong,
}

/// Reads the rows of a table, whichever program wrote it, some at a time. Columns are found by the names of the fields, or those that are told.
///
/// # Errors
/// See [`TableError`].
pub fn read_table<R: Row>(path: &Path, names: &ColumnNames) -> Result<ReadRows<R>, TableError> {
    let file = File::open(path)?;
    caught(|| {
        let footer = ParquetMetaDataReader::new().parse_and_finish(&file)?;
        let file = Arc::new(file);
        read_rows(&footer, names, None, || Source::Disk(Arc::clone(&file)))
    })
}

/// Reads the rows of a table that a request brought, as far as it is small once it is unpacked.
///
/// # Errors
/// See [`TableError`].
pub fn read_table_bytes<R: Row>(
    bytes: &[u8],
    names: &ColumnNames,
) -> Result<ReadRows<R>, TableError> {
    let bytes = Bytes::copy_from_slice(bytes);
    if length_of_footer(&bytes).is_some_and(|length| length > FOOTER_BYTES_AT_MOST) {
        return Err(TableError::TooLong);
    }
    let budget = Budget::of(UNPACKED_BYTES_AT_MOST);
    let read = caught(|| {
        let footer = ParquetMetaDataReader::new().parse_and_finish(&bytes)?;
        let part = Arc::new(Part { start: 0, bytes: bytes.clone() });
        read_rows(&footer, names, Some(&budget), || Source::Memory(Arc::clone(&part)))
    });
    read.map_err(|error| if budget.is_exceeded() { TableError::TooLong } else { error })
}

/// Files of others have no checksums, and some damage makes the library panic.
fn caught<R>(
    read: impl FnOnce() -> Result<ReadRows<R>, TableError>,
) -> Result<ReadRows<R>, TableError> {
    let read = catch_unwind(AssertUnwindSafe(read));
    read.unwrap_or_else(|_| Err(TableError::Damaged("its columns cannot be decoded".to_owned())))
}

/// As the last bytes of the file say it, before those that name the format.
fn length_of_footer(bytes: &[u8]) -> Option<u32> {
    let (_, last) = bytes.strip_suffix(b"PAR1")?.split_last_chunk()?;
    Some(u32::from_le_bytes(*last))
}

fn read_rows<R: Row>(
    footer: &ParquetMetaData,
    names: &ColumnNames,
    budget: Option<&Arc<Budget>>,
    source: impl Fn() -> Source,
) -> Result<ReadRows<R>, TableError> {
    let schema = footer.file_metadata().schema_descr();
    refuse_export(|name| place_of(schema, name).is_some()).map_err(TableError::Export)?;
    let wanted = wanted_properties::<R>(names);
    let properties: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
    let mut places = places::<R>(schema, names)?;
    places.extend(wanted.iter().map(|(_, column)| single(schema, column)));
    if budget.is_some() {
        refuse_long(footer, &places)?;
    }
    let is_there = |column: &String| place_called(schema, column).is_some();
    let unseen = columns_named::<R>(names).into_iter().filter(|column| !is_there(column));
    let mut read = ReadRows { unseen: unseen.collect(), ..ReadRows::default() };
    let mut line = 0;
    for (group, columns) in footer.row_groups().iter().enumerate() {
        let schema_of_group = footer.file_metadata().schema_descr_ptr();
        let rows = rows(footer, group)?;
        let group = Group::new(source(), schema_of_group, columns.clone(), rows);
        let mut group = group.within(budget.cloned()).in_steps();
        while group.step() {
            let columns = places.iter().zip(exactness::<R>());
            let columns = columns.map(|(place, exactness)| {
                place.map(|place| text::texts(&mut group, place, exactness)).transpose()
            });
            let mut columns = columns.collect::<Result<Vec<_>, _>>()?;
            for row in 0..group.rows {
                line += 1;
                let told =
                    |place: usize, fault| format!("{} {fault}", named(schema, places[place]));
                let texts = texts_of(&mut columns, row);
                let texts = texts.map_err(|(place, fault)| told(place, fault));
                read.read(line, (names, &properties), texts);
            }
        }
    }
    Ok(read)
}

/// Refuses a file that says itself that it is too long, before any of its pages is read. A group has no more rows than it says.
fn refuse_long(footer: &ParquetMetaData, places: &[Option<usize>]) -> Result<(), TableError> {
    let number = |number: i64| u64::try_from(number).unwrap_or(u64::MAX);
    let (mut rows, mut bytes) = (0_u64, 0_u64);
    for group in footer.row_groups() {
        rows = rows.saturating_add(number(group.num_rows()));
        for place in places.iter().flatten() {
            let column = number(group.column(*place).uncompressed_size());
            bytes = bytes.saturating_add(column);
        }
    }
    let is_long = rows > SENT_ROWS_AT_MOST || bytes > UNPACKED_BYTES_AT_MOST;
    if is_long { Err(TableError::TooLong) } else { Ok(()) }
}

/// How exact the texts of each column have to be: first of the fields, then of properties.
fn exactness<R: Row>() -> impl Iterator<Item = Exactness> {
    let of = |field| if is_id(field) { Exactness::EachDigit } else { Exactness::AsItIs };
    R::FIELDS.iter().map(move |(field, _)| of(field)).chain(iter::repeat(Exactness::AsItIs))
}

/// The texts of a row, or the first column of which it has none, and why.
fn texts_of(
    columns: &mut [Option<Vec<Text>>],
    row: usize,
) -> Result<Vec<Option<Cow<'static, str>>>, (usize, Fault)> {
    let mut texts = Vec::with_capacity(columns.len());
    for (place, column) in columns.iter_mut().enumerate() {
        let text =
            column.as_mut().map_or(Ok(None), |column| mem::replace(&mut column[row], Ok(None)));
        texts.push(text.map_err(|fault| (place, fault))?.map(Cow::Owned));
    }
    Ok(texts)
}

/// What a column is called, as messages quote it.
fn named(schema: &SchemaDescriptor, place: Option<usize>) -> String {
    let parts = place.map(|place| schema.column(place).path().parts().join("."));
    format!("`{}`", parts.unwrap_or_default())
}

fn rows(footer: &ParquetMetaData, group: usize) -> Result<usize, TableError> {
    let rows = footer.row_group(group).num_rows();
    usize::try_from(rows)
        .map_err(|_| TableError::Damaged("a row group has less than no rows".into()))
}

/// The place of each field's column; `None` for one that the file need not have.
fn places<R: Row>(
    schema: &SchemaDescriptor,
    names: &ColumnNames,
) -> Result<Vec<Option<usize>>, TableError> {
    let places = R::FIELDS.iter().map(|(field, is_needed)| {
        let wanted = names.column(field);
        let own = || place_called(schema, names.own_column(field)?);
        let place = place_called(schema, wanted).or_else(own);
        let is_needed = *is_needed || names.names(field);
        if place.is_none() && is_needed && names.constant(field).is_none() {
            let known =
                schema.columns().iter().map(|one| format!("`{}`", one.path().parts().join(".")));
            let known = known.collect::<Vec<_>>().join(", ");
            return Err(TableError::MissingColumn { wanted: wanted.to_owned(), known });
        }
        if let Some(column) = place.map(|place| schema.column(place))
            && column.max_rep_level() > 0
        {
            return Err(TableError::WrongType(wanted.to_owned()));
        }
        Ok(place)
    });
    places.collect()
}

/// The place of a column that is called so, or of the only one whose name differs in capital letters alone.
fn place_called(schema: &SchemaDescriptor, wanted: &str) -> Option<usize> {
    place_of(schema, wanted).or_else(|| {
        let paths = schema.columns().iter().map(|column| column.path().parts().join("."));
        let paths: Vec<String> = paths.collect();
        column_place(paths.iter().map(String::as_str), wanted).ok().flatten()
    })
}

/// The column of a property; one with lists has no text of each row.
fn single(schema: &SchemaDescriptor, wanted: &str) -> Option<usize> {
    place_called(schema, wanted).filter(|place| schema.column(*place).max_rep_level() == 0)
}

impl From<ParquetError> for TableError {
    fn from(error: ParquetError) -> Self {
        Self::Damaged(error.to_string())
    }
}

impl From<LakeError> for TableError {
    fn from(error: LakeError) -> Self {
        match error {
            LakeError::Io(error) => Self::Io(error),
            LakeError::Damaged(detail) => Self::Damaged(detail),
            error @ (LakeError::NoEventFile(_) | LakeError::Newer(_)) => {
                Self::Damaged(error.to_string())
            }
        }
    }
}
