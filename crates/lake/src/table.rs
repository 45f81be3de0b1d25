//! Reads rows of exposures and events from Parquet files of others: of warehouses, data frames and other tools.

mod text;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write as _};
use std::iter;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

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
use crate::read::exactly;
use crate::table::text::{Exactness, Fault, Text};

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
}

/// Reads the rows of a table, whichever program wrote it. Columns are found by the names of the fields, or those that are told.
///
/// # Errors
/// See [`TableError`].
pub fn read_table<R: Row>(path: &Path, names: &ColumnNames) -> Result<ReadRows<R>, TableError> {
    let mut file = File::open(path)?;
    // Files of others have no checksums, and some damage makes the library panic.
    let read = catch_unwind(AssertUnwindSafe(|| read_rows(&mut file, names)));
    read.unwrap_or_else(|_| Err(TableError::Damaged("its columns cannot be decoded".to_owned())))
}

/// Reads the rows of a table that is in memory.
///
/// # Errors
/// See [`TableError`].
pub fn read_table_bytes<R: Row>(
    bytes: &[u8],
    names: &ColumnNames,
) -> Result<ReadRows<R>, TableError> {
    let mut file = tempfile::NamedTempFile::new()?;
    file.write_all(bytes)?;
    read_table(file.path(), names)
}

fn read_rows<R: Row>(file: &mut File, names: &ColumnNames) -> Result<ReadRows<R>, TableError> {
    let footer = ParquetMetaDataReader::new().parse_and_finish(file)?;
    let schema = footer.file_metadata().schema_descr();
    refuse_export(|name| place_of(schema, name).is_some()).map_err(TableError::Export)?;
    let wanted = wanted_properties::<R>(names);
    let properties: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
    let mut places = places::<R>(schema, names)?;
    places.extend(wanted.iter().map(|(_, column)| single(schema, column)));
    let is_there = |column: &String| place_called(schema, column).is_some();
    let unseen = columns_named::<R>(names).into_iter().filter(|column| !is_there(column));
    let mut read = ReadRows { unseen: unseen.collect(), ..ReadRows::default() };
    let mut line = 0;
    for group in 0..footer.num_row_groups() {
        let columns = places.iter().zip(exactness::<R>()).map(|(place, exactness)| match place {
            Some(place) => texts(file, &footer, (group, *place), exactness).map(Some),
            None => Ok(None),
        });
        let mut columns = columns.collect::<Result<Vec<_>, _>>()?;
        for row in 0..rows(&footer, group)? {
            line += 1;
            let told = |place: usize, fault| format!("{} {fault}", named(schema, places[place]));
            let texts = texts_of(&mut columns, row);
            let texts = texts.map_err(|(place, fault)| told(place, fault));
            read.read(line, (names, &properties), texts);
        }
    }
    Ok(read)
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

/// The texts of a column in a row group.
fn texts(
    file: &mut File,
    footer: &ParquetMetaData,
    (group, place): (usize, usize),
    exactness: Exactness,
) -> Result<Vec<Text>, TableError> {
    let columns = footer.row_group(group);
    let chunk = columns.column(place);
    let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
    let (Ok(start), Ok(length)) = (u64::try_from(start), u64::try_from(chunk.compressed_size()))
    else {
        return Err(TableError::Damaged("a column is nowhere".to_owned()));
    };
    let bytes = exactly(file, start, length)?;
    let source = Source::Memory(Arc::new(Part { start, bytes }));
    let schema = footer.file_metadata().schema_descr_ptr();
    let mut group = Group::new(source, schema, columns.clone(), rows(footer, group)?);
    text::texts(&mut group, place, exactness)
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
