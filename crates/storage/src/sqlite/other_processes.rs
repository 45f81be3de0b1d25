//! Notices what other processes write to the same file, such as a command that ends tokens while a server runs. The engine counts the
//! commits of others, apart from our own; it does not notify us, so the count is read again and again.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use oauth::Timestamp;
use rusqlite::Connection;

use crate::StorageError;

/// What another process did may go unnoticed for so long.
const CHECK_AFTER_MS: u64 = 500;

/// Some more, because the processes do not read their clocks at the same moment.
const ALL_CHECKED_AFTER: Duration = Duration::from_millis(CHECK_AFTER_MS + 50);

/// When other processes were last checked on, and how much they had written by then.
pub(super) struct OtherProcesses {
    checked_at: AtomicI64,
    commits: AtomicI64,
}

impl OtherProcesses {
    pub(super) fn new() -> Self {
        Self { checked_at: AtomicI64::new(i64::MIN), commits: AtomicI64::new(i64::MIN) }
    }

    /// Whether it is time for another check; also when the clock was set back.
    pub(super) fn is_check_due(&self, now: Timestamp) -> bool {
        let checked_at = self.checked_at.load(Ordering::Acquire);
        now.as_milliseconds().abs_diff(checked_at) >= CHECK_AFTER_MS
    }

    /// Notes what `count_commits` said; whether others have written since the last check.
    pub(super) fn have_written(&self, commits: i64) -> bool {
        self.commits.swap(commits, Ordering::AcqRel) != commits
    }

    /// Notes that everything is known that another process committed before `now`.
    pub(super) fn note_check(&self, now: Timestamp) {
        self.checked_at.store(now.as_milliseconds(), Ordering::Release);
    }
}

/// A number that changes with the commits of other processes. It has to be read on the connection that writes, every time.
pub(super) fn count_commits(database: &Connection) -> Result<i64, StorageError> {
    Ok(database.pragma_query_value(None, "data_version", |row| row.get(0))?)
}

/// Returns when no other process relies on its cache from before this call.
pub(super) async fn wait_until_all_have_checked() {
    tokio::time::sleep(ALL_CHECKED_AFTER).await;
}
