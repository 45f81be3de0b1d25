//! Deletes what has expired, a few rows with each commit, so that no table outgrows what is alive and nobody has to think of a
//! clean-up job.

use oauth::{ACCESS_TOKEN, Timestamp};
use rusqlite::{Connection, params};

use crate::statements::{
    DELETE_EXPIRED_ACCESS_TOKENS, DELETE_EXPIRED_CODES, DELETE_EXPIRED_FAMILIES,
    DELETE_EXPIRED_SESSIONS,
};

/// How many rows of each table go beyond those that the commit may have added: enough to catch up, too few to be noticed.
const ROWS_BEYOND_ADDED: usize = 8;

/// Deletes a few rows that nothing needs at the moment `present`, in a commit of so many jobs.
pub(super) fn delete_expired(
    connection: &Connection,
    present: Timestamp,
    jobs: usize,
) -> rusqlite::Result<()> {
    let rows = i64::try_from(jobs + ROWS_BEYOND_ADDED).expect("jobs of one commit are few");
    let delete = |statement: &str, expired_at: Timestamp| {
        let values = params![expired_at.as_milliseconds(), rows];
        connection.prepare_cached(statement)?.execute(values)
    };
    delete(DELETE_EXPIRED_CODES, present)?;
    delete(DELETE_EXPIRED_ACCESS_TOKENS, present)?;
    delete(DELETE_EXPIRED_SESSIONS, present)?;
    // A family takes its tokens with it, and its last access tokens may outlive its refresh token.
    delete(DELETE_EXPIRED_FAMILIES, present - ACCESS_TOKEN)?;
    Ok(())
}
