//! The newest moment in the store. Nothing is written for it: every expiring row has its start.

use oauth::{ACCESS_TOKEN, AUTHORIZATION_CODE, Lifetime, SESSION_ABSOLUTE, Timestamp};
use rusqlite::{Connection, params};

use crate::StorageError;
use crate::statements::store::FIND_NEWEST_MOMENT;

pub(super) fn find(database: &Connection) -> Result<Option<Timestamp>, StorageError> {
    let milliseconds = |lifetime: Lifetime| lifetime.seconds() * 1_000;
    let values = params![
        milliseconds(ACCESS_TOKEN),
        milliseconds(AUTHORIZATION_CODE),
        milliseconds(SESSION_ABSOLUTE),
    ];
    let mut statement = database.prepare_cached(FIND_NEWEST_MOMENT)?;
    let newest: Option<i64> = statement.query_row(values, |row| row.get(0))?;
    Ok(newest.map(Timestamp::from_milliseconds))
}
