//! Deletes expired rows, a few now and then within a commit, so that the operator needs no clean-up job.
//!
//! To delete a row costs as much as to add one. So it is mostly done at the expense of the time in which the writer had nothing to do:
//! while there is none, most expired rows wait, and no client that wants a token does. Old rows stand together in the file, so that many
//! at once cost less than one at a time: what may go adds up until it is worth it.

use std::time::{Duration, Instant};

use oauth::{Steadiness, Timestamp};
use rusqlite::{Connection, params};

use crate::AuditKeeping;
use crate::cleaning::due;
use crate::statements::audit::DELETE_OLD_AUDIT_ENTRIES;

/// For each such time that the writer has waited for work, one row per table is deleted: about ten times what that takes.
const WAITED_PER_ROW: Duration = Duration::from_micros(400);

/// For each of this many jobs one row per table is deleted, even without any idle time.
const JOBS_PER_ROW: u32 = 8;

/// Deleting fewer rows per table than this is not worthwhile.
const WORTH_IT: u128 = 64;

/// Some milliseconds' work: the first client after a long rest does not notice either.
const ROWS_AT_MOST: u128 = 128;

/// How many rows of each table may be deleted, in parts of a row.
#[derive(Default)]
pub(super) struct Allowance(Duration);

impl Allowance {
    /// After this many jobs, for which the writer has waited this long.
    pub(super) fn add(&mut self, jobs: u32, waited: Duration) {
        self.0 += jobs * WAITED_PER_ROW / JOBS_PER_ROW + waited;
    }

    /// What may be deleted now; 0 while it is not worth it.
    pub(super) fn take(&mut self) -> i64 {
        let rows = self.0.as_micros() / WAITED_PER_ROW.as_micros();
        if rows < WORTH_IT {
            return 0;
        }
        self.0 = Duration::ZERO;
        i64::try_from(rows.min(ROWS_AT_MOST)).expect("128 at most")
    }
}

/// What is deleted, and how surely it is old.
#[derive(Debug, Default)]
pub(super) struct Cleaning {
    /// How long entries of the audit log are kept. `None` deletes none.
    pub(super) audit: Option<AuditKeeping>,
    pub(super) clock: Steadiness,
}

/// Deletes up to this many expired rows of each table, as of `present`.
pub(super) fn delete_expired(
    connection: &Connection,
    cleaning: &mut Cleaning,
    present: Timestamp,
    rows: i64,
) -> rusqlite::Result<()> {
    let steady_for = cleaning.clock.look(present, Instant::now());
    let delete = |statement: &str, expired_at: Timestamp| {
        let values = params![expired_at.as_milliseconds(), rows];
        connection.prepare_cached(statement)?.execute(values)
    };
    for (deletion, expired_at) in due(present, steady_for) {
        delete(deletion.alone, expired_at)?;
    }
    if let Some(audit_ends) = cleaning.audit.and_then(|audit| audit.ends(present, steady_for)) {
        delete(DELETE_OLD_AUDIT_ENTRIES, audit_ends)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Allowance;

    /// What may be deleted in each of some commits with so many jobs, after so many milliseconds of rest.
    fn taken(commits: &[(u32, u64)]) -> Vec<i64> {
        let mut allowance = Allowance::default();
        let commits = commits.iter().map(|&(jobs, waited)| {
            allowance.add(jobs, Duration::from_millis(waited));
            allowance.take()
        });
        commits.collect()
    }

    #[test]
    fn without_rest_a_row_goes_for_every_eight_jobs_many_at_once() {
        assert_eq!(taken(&[(256, 0), (255, 0), (1, 0), (256, 0)]), [0, 0, 64, 0]);
    }

    #[test]
    fn after_a_rest_more_go_within_limits() {
        assert_eq!(taken(&[(8, 20), (8, 5), (8, 1), (1, 86_400_000)]), [0, 64, 0, 128]);
    }
}
