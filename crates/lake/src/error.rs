//! Why a file of events cannot be read.

use std::io;

use parquet::errors::ParquetError;
use thiserror::Error;

use crate::compact::COMPACTED_AT_MOST;
use crate::schema::SCHEMA;

/// Why a file of events cannot be read.
#[derive(Debug, Error)]
pub enum LakeError {
    /// The file cannot be opened, or the disk fails.
    #[error("cannot read the file: {0}")]
    Io(#[from] io::Error),
    /// Something else, or not all of it is there.
    #[error("it is not a complete file of events written by Assay: {0}")]
    NoEventFile(&'static str),
    /// It is not as it was written.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// A newer version of Assay has written it.
    #[error("the file has schema {0}, and this version of Assay knows those up to {SCHEMA}")]
    Newer(u32),
}

/// Checksums were right: the disk fails, or the writer of the file made a mistake.
impl From<ParquetError> for LakeError {
    fn from(error: ParquetError) -> Self {
        match of_disk(error) {
            Ok(error) => Self::Io(error),
            Err(error) => Self::Damaged(error.to_string()),
        }
    }
}

/// What the disk said, if it was the disk.
pub(crate) fn of_disk(error: ParquetError) -> Result<io::Error, ParquetError> {
    let ParquetError::External(error) = error else { return Err(error) };
    match error.downcast::<io::Error>() {
        Ok(error) => Ok(*error),
        Err(error) => Err(ParquetError::External(error)),
    }
}

/// Why several files were not made into one.
#[derive(Debug, Error)]
pub enum CompactError {
    /// One of them cannot be read.
    #[error("`{name}`: {error}")]
    Unreadable {
        /// Its name.
        name: String,
        /// Why.
        error: LakeError,
    },
    /// The new one cannot be written.
    #[error("cannot write a file: {0}")]
    Unwritable(#[from] io::Error),
    /// More files than are made into one at a time.
    #[error("these are {0} files, and {COMPACTED_AT_MOST} at most are made into one")]
    TooMany(usize),
}
