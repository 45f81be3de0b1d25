//! Writes a backup, line by line.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use super::header::Header;
use super::reading::LINE_AT_MOST;
use super::row::{self, Value};
use super::{BackupError, BackupSummary, Progress};
use crate::StorageError;

/// A backup that is being written.
pub(crate) struct BackupMaker<'p, W: Write> {
    out: GzEncoder<W>,
    digest: Sha256,
    header: Header,
    rows: u64,
    progress: Progress<'p>,
}

impl<'p, W: Write> BackupMaker<'p, W> {
    pub(crate) fn start(
        out: W,
        header: Header,
        progress: Progress<'p>,
    ) -> Result<Self, BackupError> {
        let out = GzEncoder::new(out, Compression::default());
        let mut maker = Self { out, digest: Sha256::new(), header, rows: 0, progress };
        let line = serde_json::to_vec(&maker.header)
            .map_err(|error| StorageError::corrupt(error.to_string()))?;
        maker.write_line(line)?;
        Ok(maker)
    }

    /// The next row of this table.
    pub(crate) fn add(&mut self, table: usize, values: &[Value<'_>]) -> Result<(), BackupError> {
        let line = row::write(&self.header.tables[table].columns, values)?;
        if line.len() >= LINE_AT_MOST {
            return Err(StorageError::corrupt("a row is too large for a backup").into());
        }
        self.write_line(line)?;
        self.rows += 1;
        (self.progress)(self.rows, self.header.rows());
        Ok(())
    }

    /// Closes the backup with its digest, and returns its writer.
    pub(crate) fn finish(mut self) -> Result<(W, BackupSummary), BackupError> {
        let digest = super::reading::last_line(&self.digest);
        self.out.write_all(digest.as_bytes())?;
        let summary = BackupSummary { schema: self.header.schema, rows: self.rows };
        Ok((self.out.finish()?, summary))
    }

    fn write_line(&mut self, mut line: Vec<u8>) -> Result<(), BackupError> {
        line.push(b'\n');
        self.digest.update(&line);
        Ok(self.out.write_all(&line)?)
    }
}
