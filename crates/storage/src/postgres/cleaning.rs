//! Deletes expired rows, a few each time that some have been added, so that no table outgrows its live rows and operators need no
//! clean-up job.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use deadpool_postgres::GenericClient;
use oauth::{Steadiness, Timestamp};

use super::query::execute;
use super::statements::cleaning::DELETE_OLD_AUDIT_ENTRIES;
use crate::cleaning::due;
use crate::statements::cleaning::DELETE_EXPIRED_FAMILIES;
use crate::{AuditKeeping, StorageError};

/// After how many rows that were added to one table. Most operations add one to a table at most.
pub(super) const EVERY: i64 = 64;

/// How many rows of each table: those that may have been added, and some more to catch up.
const ROWS: i64 = EVERY + EVERY / 8;

/// A family takes two operations to be added: its code is the other one. To delete it costs the most, as the tokens go with it.
const FAMILIES: i64 = ROWS / 2;

/// Says when it is time.
#[derive(Default)]
pub(super) struct Cleaning {
    added: AtomicI64,
    is_running: AtomicBool,
    /// How long entries of the audit log are kept. `None` deletes none.
    audit: Option<AuditKeeping>,
    clock: Mutex<Steadiness>,
}

impl Cleaning {
    pub(super) fn new(audit: AuditKeeping) -> Self {
        Self { audit: Some(audit), ..Self::default() }
    }

    /// Counts rows that an operation adds to a table; returns the turn of the operation that has to clean now.
    pub(super) fn turn_after(self: &Arc<Self>, added: i64) -> Option<CleaningTurn> {
        let before = self.added.fetch_add(added, Ordering::Relaxed);
        let is_time = (before + added) / EVERY > before / EVERY;
        let is_free = is_time && !self.is_running.swap(true, Ordering::Acquire);
        is_free.then(|| CleaningTurn(Arc::clone(self)))
    }

    /// The time of the youngest audit entries that have expired, as far as the clock may be believed.
    pub(super) fn audit_ends(&self, present: Timestamp) -> Option<Timestamp> {
        self.audit?.ends(present, self.clock_steady_for(present))
    }

    /// For how long the clock that shows this moment has been steady.
    pub(super) fn clock_steady_for(&self, present: Timestamp) -> Duration {
        let mut clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        clock.look(present, Instant::now())
    }
}

/// The only cleaning of this process, until it is dropped.
pub(super) struct CleaningTurn(Arc<Cleaning>);

/// Also after a panic, or if the task is cancelled: otherwise no row would be deleted any more.
impl Drop for CleaningTurn {
    fn drop(&mut self) {
        self.0.is_running.store(false, Ordering::Release);
    }
}

/// Deletes a few rows that nothing needs at the moment `present`. Each table by itself: processes that clean at the same time never
/// wait for each other.
pub(super) async fn delete_expired(
    database: &impl GenericClient,
    present: Timestamp,
    steady_for: Duration,
) -> Result<(), StorageError> {
    for (deletion, expired_at) in due(present, steady_for) {
        let rows = if deletion == DELETE_EXPIRED_FAMILIES { FAMILIES } else { ROWS };
        let values = [&expired_at.as_milliseconds() as _, &rows as _];
        execute(database, deletion.among_others, &values).await?;
    }
    Ok(())
}

/// Deletes audit entries that were written by `audit_ends`, once so many others were sealed: what adds an entry need not add anything else.
pub(super) async fn delete_old_audit_entries(
    database: &impl GenericClient,
    sealed: usize,
    audit_ends: Timestamp,
) -> Result<(), StorageError> {
    let sealed = i64::try_from(sealed).unwrap_or(ROWS);
    let at_most = (sealed + sealed / 8).max(ROWS);
    execute(database, DELETE_OLD_AUDIT_ENTRIES, &[&audit_ends.as_milliseconds(), &at_most]).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::panic::panic_any;
    use std::sync::Arc;

    use super::{Cleaning, EVERY};

    #[tokio::test]
    async fn after_a_cleaning_that_panicked_comes_the_next_one() {
        let cleaning = Arc::new(Cleaning::default());
        let turn = cleaning.turn_after(EVERY).unwrap();
        assert!(cleaning.turn_after(EVERY).is_none());

        let panicked = tokio::spawn(async move {
            let _turn = turn;
            panic_any("mine");
        });

        assert!(panicked.await.unwrap_err().is_panic());
        assert!(cleaning.turn_after(EVERY).is_some());
    }
}
