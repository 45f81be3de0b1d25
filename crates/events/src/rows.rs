//! Rows of exposures and events that were measured elsewhere: exports of a warehouse, of an analytics tool, or of a shop's database, as CSV
//! (RFC 4180) or with one JSON object per line.

mod csv;
mod decimals;
mod moment;
mod names;
mod ndjson;
mod row;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::limits::FAULTS_REPORTED;
pub use crate::rows::decimals::{DoubtfulNumber, plain_number};
pub use crate::rows::names::{
    ColumnNames, FileProperties, UnknownField, column_place, columns_named, is_id, named_columns,
    refuse_export, wanted_properties,
};
use crate::rows::row::Cells;
pub use crate::rows::row::{EventRow, ExposureRow, Row};

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// Comma-separated values with a first line of names; semicolons and tabs separate, too.
    Csv,
    /// One JSON object per line.
    Ndjson,
}

/// A row that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {detail}")]
pub struct RowFault {
    /// The line, or the row of a table, from 1.
    pub line: u64,
    /// What is wrong.
    pub detail: String,
}

/// What was read of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadRows<R> {
    /// The rows that are right.
    pub rows: Vec<R>,
    /// The line of each of them.
    pub lines: Vec<u64>,
    /// The first of those that are not.
    pub faults: Vec<RowFault>,
    /// How many are not.
    pub faulty: u64,
    /// The columns that the importer named (`--column`) and that are nowhere in the file.
    pub unseen: BTreeSet<String>,
}

/// Reads the rows of a file.
///
/// # Errors
/// If a column is missing, or the text has no rows of this format.
pub fn read_rows<R: Row>(
    text: &str,
    format: RowFormat,
    names: &ColumnNames,
) -> Result<ReadRows<R>, RowFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut read = ReadRows::default();
    let mut unseen = columns_named::<R>(names);
    let mut take = |line: u64, row: Result<R, String>| read.add(line, row);
    match format {
        RowFormat::Csv => csv::each_row::<R>(text, names, &mut unseen, &mut take)?,
        RowFormat::Ndjson => ndjson::each_row::<R>(text, names, &mut unseen, &mut take)?,
    }
    Ok(ReadRows { unseen, ..read })
}

impl<R> Default for ReadRows<R> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            lines: Vec::new(),
            faults: Vec::new(),
            faulty: 0,
            unseen: BTreeSet::new(),
        }
    }
}

impl<R: Row> ReadRows<R> {
    /// Reads a row of a table, told by the texts of its fields, in their order, and then of these properties, or by why they cannot be read.
    pub fn read(
        &mut self,
        line: u64,
        (names, properties): (&ColumnNames, &[&str]),
        texts: Result<Vec<Option<Cow<'_, str>>>, String>,
    ) {
        let cells = texts.map(|texts| Cells { fields: R::FIELDS, properties, names, texts });
        self.add(line, cells.and_then(|cells| R::of(&cells)));
    }

    fn add(&mut self, line: u64, row: Result<R, String>) {
        match row {
            Ok(row) => {
                self.rows.push(row);
                self.lines.push(line);
            }
            Err(detail) => {
                self.faulty += 1;
                if self.faults.len() < FAULTS_REPORTED {
                    self.faults.push(RowFault { line, detail });
                }
            }
        }
    }
}
