//! What the engine's errors mean.

use rusqlite::ErrorCode;
use rusqlite::ffi::{SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE};

use crate::{OpenError, StorageError};

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotADatabase,
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged(error.to_string()),
            _ => Self::Engine(error.to_string()),
        }
    }
}

impl From<rusqlite::Error> for StorageError {
    fn from(error: rusqlite::Error) -> Self {
        let is_taken =
            |code| matches!(code, SQLITE_CONSTRAINT_UNIQUE | SQLITE_CONSTRAINT_PRIMARYKEY);
        if error.sqlite_error().is_some_and(|error| is_taken(error.extended_code)) {
            return Self::Conflict;
        }
        if is_of_a_value(&error) {
            return Self::corrupt(error.to_string());
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::ReadOnly) => Self::ReadOnly,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Damaged(error.to_string())
            }
            _ => Self::Unavailable(error.to_string()),
        }
    }
}

/// Whether a value does not have the type of its column.
fn is_of_a_value(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
    )
}

/// A value that does not have the type of its column.
impl From<rusqlite::types::FromSqlError> for StorageError {
    fn from(error: rusqlite::types::FromSqlError) -> Self {
        Self::corrupt(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use crate::StorageError;

    #[test]
    fn a_database_that_may_only_be_read_is_told_from_one_that_fails() {
        let database = Connection::open_in_memory().unwrap();
        database.execute_batch("CREATE TABLE one (id); PRAGMA query_only = ON").unwrap();

        let refused =
            database.execute("INSERT INTO one VALUES (1)", []).map_err(StorageError::from);
        let failed =
            database.execute("INSERT INTO other VALUES (1)", []).map_err(StorageError::from);

        assert_eq!(refused, Err(StorageError::ReadOnly));
        assert!(matches!(failed, Err(StorageError::Unavailable(_))), "{failed:?}");
    }
}
