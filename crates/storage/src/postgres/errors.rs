//! What the server's errors mean. Their details are left out: they may quote what is in a row.

use deadpool_postgres::{HookError, PoolError, TimeoutType};
use tokio_postgres::error::SqlState;

use crate::{Obstacle, OpenError, StorageError};

/// What is worth another try: the server has no room at the moment, broke a deadlock at our cost, or a row that we were about to
/// refer to has just gone.
const FOR_ANOTHER_TRY: [SqlState; 4] = [
    SqlState::TOO_MANY_CONNECTIONS,
    SqlState::T_R_DEADLOCK_DETECTED,
    SqlState::T_R_SERIALIZATION_FAILURE,
    SqlState::FOREIGN_KEY_VIOLATION,
];

/// Pages that the server cannot read.
const DAMAGE: [SqlState; 2] = [SqlState::DATA_CORRUPTED, SqlState::INDEX_CORRUPTED];

impl From<tokio_postgres::Error> for StorageError {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.code() {
            Some(code) if *code == SqlState::UNIQUE_VIOLATION => Self::Conflict,
            Some(code) if FOR_ANOTHER_TRY.contains(code) => Self::Busy,
            Some(code) if *code == SqlState::DISK_FULL => Self::Full,
            Some(code) if *code == SqlState::READ_ONLY_SQL_TRANSACTION => Self::ReadOnly,
            // A value that the encoding of the database has no characters for.
            Some(code) if *code == SqlState::UNTRANSLATABLE_CHARACTER => {
                Self::corrupt(describe(&error))
            }
            Some(code) if DAMAGE.contains(code) => Self::Damaged(describe(&error)),
            _ => Self::Unavailable(describe(&error)),
        }
    }
}

impl From<PoolError> for StorageError {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
                error.into()
            }
            PoolError::PostCreateHook(HookError::Message(why)) => {
                Self::Unavailable(why.into_owned())
            }
            PoolError::Timeout(TimeoutType::Wait) => Self::Busy,
            PoolError::Timeout(TimeoutType::Create | TimeoutType::Recycle) => {
                Self::Unavailable("the database does not answer".to_owned())
            }
            PoolError::Closed | PoolError::NoRuntimeSpecified => {
                Self::Unavailable(error.to_string())
            }
        }
    }
}

impl From<tokio_postgres::Error> for OpenError {
    fn from(error: tokio_postgres::Error) -> Self {
        if error.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION) {
            return Self::ReadOnly;
        }
        let said = describe(&error);
        match obstacle(error.code(), &said) {
            Some(obstacle) => Self::Refused { said, obstacle },
            None if error.code().is_none() => Self::Refused { said, obstacle: Obstacle::NoServer },
            None => Self::Engine(said),
        }
    }
}

/// What is in the way, as far as it is known. Poolers have one code for all; PgBouncer's words tell more.
fn obstacle(code: Option<&SqlState>, said: &str) -> Option<Obstacle> {
    if said.starts_with("must be owner of ") {
        return Some(Obstacle::Owner);
    }
    let by_code = [
        (SqlState::INVALID_PASSWORD, Obstacle::Credentials),
        (SqlState::INVALID_AUTHORIZATION_SPECIFICATION, Obstacle::Credentials),
        (SqlState::INVALID_CATALOG_NAME, Obstacle::NoDatabase),
        (SqlState::TOO_MANY_CONNECTIONS, Obstacle::NoneLeft),
        (SqlState::INSUFFICIENT_PRIVILEGE, Obstacle::Rights),
    ];
    if let Some((_, obstacle)) = by_code.into_iter().find(|(known, _)| Some(known) == code) {
        return Some(obstacle);
    }
    let by_words = [
        ("unsupported startup parameter", Obstacle::StartupParameter),
        ("no such database", Obstacle::NoDatabase),
        ("no such user", Obstacle::Credentials),
        ("authentication failed", Obstacle::Credentials),
        ("password missing", Obstacle::Credentials),
        ("no more connections allowed", Obstacle::NoneLeft),
        ("query_wait_timeout", Obstacle::NoneLeft),
        ("certificate", Obstacle::Certificate),
    ];
    by_words.into_iter().find(|(words, _)| said.contains(words)).map(|(_, obstacle)| obstacle)
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

#[cfg(test)]
mod tests {
    use tokio_postgres::error::SqlState;

    use super::obstacle;
    use crate::Obstacle;

    #[test]
    fn what_pgbouncer_says_is_understood() {
        for (code, said, expected) in [
            (Some("08P01"), "unsupported startup parameter: options", Obstacle::StartupParameter),
            (Some("08P01"), "no such database: shop", Obstacle::NoDatabase),
            (Some("08P01"), "SASL authentication failed", Obstacle::Credentials),
            (Some("08P01"), "no more connections allowed (max_client_conn)", Obstacle::NoneLeft),
            (Some("08P01"), "query_wait_timeout", Obstacle::NoneLeft),
            (Some("42501"), "permission denied for schema public", Obstacle::Rights),
            (Some("42501"), "must be owner of table member", Obstacle::Owner),
        ] {
            let code = code.map(SqlState::from_code);
            assert_eq!(obstacle(code.as_ref(), said), Some(expected), "{said}");
        }
        assert_eq!(obstacle(Some(&SqlState::DISK_FULL), "no room"), None);
    }
}
