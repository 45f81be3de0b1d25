//! What the engine's errors mean.

use rusqlite::ErrorCode;
use rusqlite::ffi::{SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE};

use crate::{OpenError, StorageError};

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) {
            return Self::NotADatabase;
        }
        Self::Engine(error.to_string())
    }
}

impl From<rusqlite::Error> for StorageError {
    fn from(error: rusqlite::Error) -> Self {
        let is_taken =
            |code| matches!(code, SQLITE_CONSTRAINT_UNIQUE | SQLITE_CONSTRAINT_PRIMARYKEY);
        if error.sqlite_error().is_some_and(|error| is_taken(error.extended_code)) {
            return Self::Conflict;
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::DiskFull) => Self::Full,
            _ => Self::Unavailable(error.to_string()),
        }
    }
}

/// A value that does not have the type of its column.
impl From<rusqlite::types::FromSqlError> for StorageError {
    fn from(error: rusqlite::types::FromSqlError) -> Self {
        Self::corrupt(error.to_string())
    }
}
