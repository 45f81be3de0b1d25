//! What the server's errors mean. Their details are left out: they may quote what is in a row.

use deadpool_postgres::{PoolError, TimeoutType};
use tokio_postgres::error::SqlState;

use crate::StorageError;

/// What is worth another try: the server has no room at the moment, broke a deadlock at our cost, or a row that we were about to
/// refer to has just gone.
const FOR_ANOTHER_TRY: [SqlState; 4] = [
    SqlState::TOO_MANY_CONNECTIONS,
    SqlState::T_R_DEADLOCK_DETECTED,
    SqlState::T_R_SERIALIZATION_FAILURE,
    SqlState::FOREIGN_KEY_VIOLATION,
];

impl From<tokio_postgres::Error> for StorageError {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.code() {
            Some(code) if *code == SqlState::UNIQUE_VIOLATION => Self::Conflict,
            Some(code) if FOR_ANOTHER_TRY.contains(code) => Self::Busy,
            Some(code) if *code == SqlState::DISK_FULL => Self::Full,
            Some(code) if *code == SqlState::READ_ONLY_SQL_TRANSACTION => Self::ReadOnly,
            _ => Self::Unavailable(describe(&error)),
        }
    }
}

impl From<PoolError> for StorageError {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) => error.into(),
            PoolError::Timeout(TimeoutType::Wait) => Self::Busy,
            PoolError::Timeout(TimeoutType::Create | TimeoutType::Recycle) => {
                Self::Unavailable("the database does not answer".to_owned())
            }
            PoolError::Closed | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => {
                Self::Unavailable(error.to_string())
            }
        }
    }
}

/// What the server says, or what kept us from asking it.
pub(super) fn describe(error: &tokio_postgres::Error) -> String {
    if let Some(error) = error.as_db_error() {
        return error.message().to_owned();
    }
    // The outermost words say what was tried, the innermost why it failed.
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
