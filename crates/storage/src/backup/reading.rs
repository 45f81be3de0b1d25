//! Reads a backup, line by line, and believes nothing of it before it was checked.

use std::io::{self, BufRead, BufReader, Read as _};

use flate2::bufread::GzDecoder;
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

use super::RestoreError;
use super::header::{FORMAT, Header, VERSION};
use super::row::{self, Value};

/// Longer than any row: that of a revision holds a document, its snippet and that compressed twice, some megabytes each.
pub(crate) const LINE_AT_MOST: usize = 256 << 20;

/// The line that ends a backup.
pub(crate) fn last_line(digest: &Sha256) -> String {
    let digest = hex::encode(digest.clone().finalize());
    format!("{}\n", json!({ "sha256": digest }))
}

/// A backup that is being read.
pub(crate) struct BackupReader<R: BufRead> {
    lines: BufReader<GzDecoder<R>>,
    digest: Sha256,
    header: Header,
    /// The table whose rows are due, and how many of them were read.
    table: usize,
    rows: u64,
}

/// A row, and the number of its table.
pub(crate) type Row = (usize, Vec<Value<'static>>);

impl<R: BufRead> BackupReader<R> {
    pub(crate) fn open(source: R) -> Result<Self, RestoreError> {
        let mut lines = BufReader::new(GzDecoder::new(source));
        let line = match read_line(&mut lines) {
            Err(RestoreError::Damaged(_)) => return Err(RestoreError::NotABackup),
            line => line?,
        };
        let header = read_header(&line)?;
        let digest = Sha256::new_with_prefix(&line);
        Ok(Self { lines, digest, header, table: 0, rows: 0 })
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    pub(crate) fn into_header(self) -> Header {
        self.header
    }

    /// The next row; `None` once the backup has ended as it should.
    pub(crate) fn next_row(&mut self) -> Result<Option<Row>, RestoreError> {
        while self.header.tables.get(self.table).is_some_and(|table| self.rows == table.rows) {
            self.table += 1;
            self.rows = 0;
        }
        let line = read_line(&mut self.lines)?;
        let Some(table) = self.header.tables.get(self.table) else {
            return self.check_end(&line).map(|()| None);
        };
        let row = row::read(&table.columns, &line).ok_or_else(|| {
            let (name, number) = (&table.name, self.rows + 1);
            damaged(format!("row {number} of `{name}` is none"))
        })?;
        self.digest.update(&line);
        self.rows += 1;
        Ok(Some((self.table, row)))
    }

    fn check_end(&mut self, line: &[u8]) -> Result<(), RestoreError> {
        if line != last_line(&self.digest).as_bytes() {
            return Err(damaged("what it says of its own content is not true"));
        }
        let is_over = self.lines.fill_buf().map_err(read_error)?.is_empty();
        let source = self.lines.get_mut().get_mut();
        if is_over && source.fill_buf().map_err(RestoreError::Read)?.is_empty() {
            Ok(())
        } else {
            Err(damaged("something follows its end"))
        }
    }
}

fn read_header(line: &[u8]) -> Result<Header, RestoreError> {
    let json: Json = serde_json::from_slice(line).map_err(|_| RestoreError::NotABackup)?;
    if json["format"] != FORMAT {
        return Err(RestoreError::NotABackup);
    }
    match json["version"].as_u64().map(u32::try_from) {
        Some(Ok(VERSION)) => {}
        Some(Ok(found)) => return Err(RestoreError::NewerFormat { found, known: VERSION }),
        Some(Err(_)) | None => return Err(RestoreError::NotABackup),
    }
    serde_json::from_value(json).map_err(|error| damaged(format!("its first line: {error}")))
}

/// The next line, with its end.
fn read_line(lines: &mut impl BufRead) -> Result<Vec<u8>, RestoreError> {
    let mut line = Vec::new();
    let limit = u64::try_from(LINE_AT_MOST).unwrap_or(u64::MAX);
    lines.take(limit).read_until(b'\n', &mut line).map_err(read_error)?;
    if line.last() == Some(&b'\n') { Ok(line) } else { Err(damaged("it ends too early")) }
}

/// Invalid gzip is damage; any other error is the disk's.
fn read_error(error: io::Error) -> RestoreError {
    let of_content =
        [io::ErrorKind::InvalidInput, io::ErrorKind::InvalidData, io::ErrorKind::UnexpectedEof];
    if of_content.contains(&error.kind()) {
        return damaged(error.to_string());
    }
    RestoreError::Read(error)
}

fn damaged(what: impl Into<String>) -> RestoreError {
    RestoreError::Damaged(what.into())
}
