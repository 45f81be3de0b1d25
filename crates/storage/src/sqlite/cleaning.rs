//! Deletes what has expired, a few rows with each commit, so that nobody has to think of a clean-up job.
//!
//! To delete a row costs as much as to add one: its places in the table and the indexes are anywhere in the file. So it is done at the
//! expense of the time in which the writer had nothing to do. While there is none, expired rows wait, and nobody who wants a token does.

use std::time::Duration;

use oauth::{ACCESS_TOKEN, Lifetime, Timestamp};
use rusqlite::{Connection, params};

use crate::statements::{
    DELETE_EXPIRED_ACCESS_TOKENS, DELETE_EXPIRED_CODES, DELETE_EXPIRED_FAMILIES,
    DELETE_EXPIRED_SESSIONS, DELETE_OLD_AUDIT_ENTRIES,
};

/// For each so long that the writer has waited for work, one row of each table goes: about four times what that takes.
const WAITED_PER_ROW: Duration = Duration::from_micros(400);

/// Some milliseconds' work: whoever comes first after a long rest does not notice either.
const ROWS_AT_MOST: u128 = 64;

/// How many rows of each table may be deleted in a commit before which the writer has waited for so long. One always, so that even then
/// some go when there is no rest at all.
pub(super) fn rows_after(waited: Duration) -> i64 {
    let rows = (1 + waited.as_micros() / WAITED_PER_ROW.as_micros()).min(ROWS_AT_MOST);
    i64::try_from(rows).expect("64 at most")
}

/// What is deleted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cleaning {
    /// How long entries of the audit log are kept. Who does not know deletes none.
    pub(super) audit_kept_for: Option<Lifetime>,
}

/// Deletes so many rows of each table that nothing needs at the moment `present`.
pub(super) fn delete_expired(
    connection: &Connection,
    cleaning: Cleaning,
    present: Timestamp,
    rows: i64,
) -> rusqlite::Result<()> {
    let delete = |statement: &str, expired_at: Timestamp| {
        let values = params![expired_at.as_milliseconds(), rows];
        connection.prepare_cached(statement)?.execute(values)
    };
    delete(DELETE_EXPIRED_CODES, present)?;
    delete(DELETE_EXPIRED_ACCESS_TOKENS, present)?;
    delete(DELETE_EXPIRED_SESSIONS, present)?;
    // A family takes its tokens with it, and its last access tokens may outlive its refresh token.
    delete(DELETE_EXPIRED_FAMILIES, present - ACCESS_TOKEN)?;
    if let Some(lifetime) = cleaning.audit_kept_for {
        delete(DELETE_OLD_AUDIT_ENTRIES, present - lifetime)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::rows_after;

    #[test]
    fn the_more_rest_the_more_rows_within_limits() {
        for (milliseconds, rows) in [(0, 1), (1, 3), (4, 11), (1_000, 64), (86_400_000, 64)] {
            assert_eq!(rows_after(Duration::from_millis(milliseconds)), rows);
        }
    }
}
