//! Other processes that write to the same file, such as a command that ends tokens while a server runs. The engine counts their
//! commits, apart from our own; nobody tells us, so we look.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use oauth::Timestamp;
use rusqlite::Connection;

use crate::StorageError;

/// For so long what a neighbour did may go unnoticed.
const LOOK_AFTER_MS: u64 = 500;

/// Some more, because their clocks are not read at the same moment.
const SURELY_LOOKED_AFTER: Duration = Duration::from_millis(LOOK_AFTER_MS + 50);

/// What we know about the neighbours.
pub(super) struct Neighbours {
    looked_at: AtomicI64,
    commits: AtomicI64,
}

impl Neighbours {
    pub(super) fn new() -> Self {
        Self { looked_at: AtomicI64::new(i64::MIN), commits: AtomicI64::new(i64::MIN) }
    }

    /// Whether it is time to look again; also when the clock was set back.
    pub(super) fn are_due(&self, now: Timestamp) -> bool {
        let looked_at = self.looked_at.load(Ordering::Acquire);
        now.as_milliseconds().abs_diff(looked_at) >= LOOK_AFTER_MS
    }

    /// Notes what `count_commits` said; whether it is something new.
    pub(super) fn have_written(&self, commits: i64) -> bool {
        self.commits.swap(commits, Ordering::AcqRel) != commits
    }

    /// Everything that a neighbour committed before `now` has been noticed.
    pub(super) fn were_looked_at(&self, now: Timestamp) {
        self.looked_at.store(now.as_milliseconds(), Ordering::Release);
    }
}

/// A number that changes with the commits of everybody else. It has to be read on the connection that writes, every time.
pub(super) fn count_commits(database: &Connection) -> Result<i64, StorageError> {
    Ok(database.pragma_query_value(None, "data_version", |row| row.get(0))?)
}

/// Comes back when no neighbour relies on what it knew when this was called.
pub(super) async fn until_all_have_looked() {
    tokio::time::sleep(SURELY_LOOKED_AFTER).await;
}
