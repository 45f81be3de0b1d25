//! Backups: the whole store in one file, in the same format for both databases. docs/storage.md describes it.
//!
//! The file is gzip of lines: a header (`header.rs`), a line for each row (`row.rs`), and the SHA-256 of these. `making.rs` writes
//! them, `reading.rs` reads them and notices whatever is not as it was written. How rows come and go is for each adapter to know
//! (`sqlite/backup.rs`, `postgres/backup.rs`).

pub(crate) mod header;
pub(crate) mod making;
pub(crate) mod origin;
pub(crate) mod reading;
pub(crate) mod row;
pub(crate) mod tables;

use std::fs::File;
use std::io::{self, BufReader, Seek as _};

use oauth::Timestamp;
use thiserror::Error;

use crate::{EndedEverything, OpenError, StorageError};
use header::{Header, Table};
use reading::BackupReader;

/// Why no backup is made of a database without tables: it may have been lost, and would take the place of a backup that has it.
pub(crate) const NOTHING_IN_IT: &str = "there is nothing in it yet";

/// How much is in a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupSummary {
    /// The schema that it has.
    pub schema: u32,
    /// Its rows.
    pub rows: u64,
}

/// Called repeatedly with the number of rows done and of all rows.
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64);

/// Whether credentials that may have been revoked since the backup stay valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestoredTokens {
    /// Tokens, codes and sessions are as good as they were.
    Kept,
    /// They all end at this moment.
    EndedAt(Timestamp),
}

/// What came of a restore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestoreSummary {
    /// The schema that the backup had.
    pub schema: u32,
    /// The rows that were restored.
    pub rows: u64,
    /// How many of them ended.
    pub ended: Option<EndedEverything>,
}

/// Why there is no backup.
#[derive(Debug, Error)]
pub enum BackupError {
    /// The database cannot be opened.
    #[error("cannot open the database: {0}")]
    Open(#[from] OpenError),
    /// The backup cannot be written.
    #[error("cannot write the backup: {0}")]
    Write(#[from] io::Error),
    /// The database does not answer as it should.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Why nothing was restored.
#[derive(Debug, Error)]
pub enum RestoreError {
    /// The file cannot be read.
    #[error("cannot read the backup: {0}")]
    Read(io::Error),
    /// The file is something else.
    #[error("it is not a backup made by Assay")]
    NotABackup,
    /// Something is missing in the file, or is not as it was written.
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    /// The format is of a newer Assay.
    #[error("the backup has a newer format ({found}, this Assay knows {known})")]
    NewerFormat {
        /// The backup's format.
        found: u32,
        /// The newest one that this binary knows.
        known: u32,
    },
    /// The schema is of a newer Assay.
    #[error("the backup was made by a newer Assay (schema {found}, this one knows {known})")]
    NewerSchema {
        /// The backup's schema.
        found: u32,
        /// The newest one that this binary knows.
        known: u32,
    },
    /// The database cannot be opened.
    #[error("cannot open the database: {0}")]
    Open(#[from] OpenError),
    /// There is data already.
    #[error("the database is not empty: there are rows in `{0}`")]
    NotEmpty(String),
    /// The database does not answer as it should.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// The steps of the schema that a backup has seen, and those that are due once it is restored.
pub(crate) struct Steps {
    pub(crate) seen: &'static [&'static str],
    pub(crate) due: &'static [&'static str],
}

/// A backup that was read to its end: it is complete and unchanged.
pub struct Backup {
    file: File,
    header: Header,
}

impl Backup {
    /// Whether a file begins as backups do. Nothing else of it is read, so that it may be damaged.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn is_one(file: &mut File) -> Result<bool, RestoreError> {
        match reader(file).map(drop) {
            Err(RestoreError::NotABackup) => Ok(false),
            Err(error @ RestoreError::Read(_)) => Err(error),
            Ok(()) | Err(_) => Ok(true),
        }
    }

    /// Reads a backup from its beginning to its end.
    ///
    /// # Errors
    /// If it is no backup, or not as it was written.
    pub fn check(mut file: File) -> Result<Self, RestoreError> {
        let mut reader = reader(&mut file)?;
        while reader.next_row()?.is_some() {}
        let header = reader.into_header();
        Ok(Self { file, header })
    }

    /// How much is in it.
    #[must_use]
    pub fn summary(&self) -> BackupSummary {
        BackupSummary { schema: self.header.schema, rows: self.header.rows() }
    }

    /// The steps that lead to its schema, of those that there are.
    pub(crate) fn steps(&self, known: &'static [&'static str]) -> Result<Steps, RestoreError> {
        let found = self.header.schema;
        let too_new = || {
            let known = u32::try_from(known.len()).expect("steps are few");
            RestoreError::NewerSchema { found, known }
        };
        let seen = usize::try_from(found).ok().filter(|seen| *seen <= known.len());
        let (seen, due) = known.split_at(seen.ok_or_else(too_new)?);
        Ok(Steps { seen, due })
    }

    /// The files of events that it lists, which are not in it.
    ///
    /// # Errors
    /// If it changes while it is read.
    pub fn event_files(&mut self) -> Result<Vec<String>, RestoreError> {
        let place = self.header.tables.iter().enumerate().find_map(|(number, table)| {
            let column = table.columns.iter().position(|column| column.name == "name")?;
            (table.name == "event_file").then_some((number, column))
        });
        let Some((number, column)) = place else { return Ok(Vec::new()) };
        let (mut rows, mut names) = (self.rows()?, Vec::new());
        while let Some((table, mut row)) = rows.next_row()? {
            if table == number
                && let row::Value::Text(name) = row.swap_remove(column)
            {
                names.push(name.into_owned());
            }
        }
        Ok(names)
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// The rows once more. The file may have changed meanwhile, so it is checked again.
    pub(crate) fn rows(&mut self) -> Result<BackupReader<BufReader<&mut File>>, RestoreError> {
        let reader = reader(&mut self.file)?;
        if *reader.header() == self.header {
            Ok(reader)
        } else {
            Err(RestoreError::Damaged("it changes while it is read".to_owned()))
        }
    }
}

/// Keys of the server. A first start makes them; nothing refers to them as long as there are no other rows.
const KEYS: &str = "signing_key";

/// A backup takes the place of no row but of what a first start makes.
pub(crate) fn refuse_rows(tables: &[Table]) -> Result<(), RestoreError> {
    match tables.iter().find(|table| table.rows > 0 && table.name != KEYS) {
        Some(table) => Err(RestoreError::NotEmpty(table.name.clone())),
        None => Ok(()),
    }
}

/// Whether a server has made keys.
pub(crate) fn has_keys(tables: &[Table]) -> bool {
    tables.iter().any(|table| table.rows > 0 && table.name == KEYS)
}

fn reader(file: &mut File) -> Result<BackupReader<BufReader<&mut File>>, RestoreError> {
    file.rewind().map_err(RestoreError::Read)?;
    BackupReader::open(BufReader::new(file))
}
