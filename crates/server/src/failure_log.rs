//! What the log says of work that is done again and again: each cause is logged once, until the failure is over. Whatever failed, such as the database, logs more.

use std::fmt::Display;

use app::events::{CopyEventsError, EventFilesError, SendEventsError};
use app::{App, BackgroundTask};
use storage::StorageError;

/// Why work that is done again and again fails.
pub(crate) trait Failing: Display {
    /// Whether the store has logged that itself, and will log when it is over.
    fn is_logged(&self) -> bool;
}

impl Failing for StorageError {
    fn is_logged(&self) -> bool {
        self.is_logged()
    }
}

impl Failing for EventFilesError {
    fn is_logged(&self) -> bool {
        matches!(self, Self::Storage(error) if error.is_logged())
    }
}

impl Failing for CopyEventsError {
    fn is_logged(&self) -> bool {
        matches!(self, Self::Files(error) if error.is_logged())
    }
}

impl Failing for SendEventsError {
    fn is_logged(&self) -> bool {
        matches!(self, Self::Files(error) if error.is_logged())
    }
}

/// As many causes are told of one failure: their texts may have a number in them that is another one each time.
const CAUSES_AT_MOST: usize = 8;

/// Why some work fails, as the log says already; empty while it does not.
#[derive(Default)]
pub(crate) struct FailureLog {
    told: Vec<String>,
}

impl FailureLog {
    /// Counts a failure of this task each time, and logs each cause once, with what follows from it. Tells whether earlier failures are over.
    pub(crate) fn note<E: Failing>(
        &mut self,
        (app, task): (&App, BackgroundTask),
        failed: Option<&E>,
        so: &'static str,
    ) -> bool {
        if failed.is_some() {
            app.monitor().failed(task);
        }
        self.log(failed, so)
    }

    /// The same of what is not counted.
    fn log<E: Failing>(&mut self, failed: Option<&E>, so: &'static str) -> bool {
        if failed.is_some_and(Failing::is_logged) {
            return false;
        }
        let Some(error) = failed else { return !std::mem::take(&mut self.told).is_empty() };
        let cause = error.to_string();
        if self.told.len() < CAUSES_AT_MOST && !self.told.contains(&cause) {
            tracing::warn!(%error, "{so}");
            self.told.push(cause);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use storage::StorageError;

    use super::{CAUSES_AT_MOST, FailureLog};

    fn over<const ROUNDS: usize>(outcomes: [Option<StorageError>; ROUNDS]) -> [bool; ROUNDS] {
        let mut log = FailureLog::default();
        outcomes.map(|failed| log.log(failed.as_ref(), "nothing is kept"))
    }

    #[test]
    fn a_failure_is_over_once() {
        let full = || Some(StorageError::Full);

        assert_eq!(over([None, full(), full(), None, None]), [false, false, false, true, false]);
    }

    #[test]
    fn what_the_store_logs_itself_is_neither_logged_nor_over() {
        assert_eq!(over([Some(StorageError::FileGone), None]), [false, false]);
    }

    fn told_after(failures: &[StorageError]) -> Vec<String> {
        let mut log = FailureLog::default();
        for failed in failures {
            log.log(Some(failed), "nothing is kept");
        }
        log.told
    }

    #[test]
    fn another_cause_is_told_once_while_the_first_lasts() {
        let (full, busy) = (StorageError::Full, StorageError::Busy);

        let told = told_after(&[full.clone(), busy.clone(), full.clone(), busy.clone()]);

        assert_eq!(told, [full.to_string(), busy.to_string()]);
    }

    #[test]
    fn causes_that_differ_each_time_do_not_fill_the_log() {
        let failures: Vec<_> =
            (0..100).map(|number| StorageError::Unavailable(number.to_string())).collect();

        assert_eq!(told_after(&failures).len(), CAUSES_AT_MOST);
    }
}
