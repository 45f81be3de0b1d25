//! What the log says of work that is done again and again: a failure is logged once, until it is over. Whatever failed, such as the database, logs more.

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

/// Whether the log says already that some work fails.
#[derive(Default)]
pub(crate) struct FailureLog {
    is_failing: bool,
}

impl FailureLog {
    /// Counts a failure of this task each time, and logs it once, with what follows from it. Tells whether earlier failures are over.
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
        let was_failing = std::mem::replace(&mut self.is_failing, failed.is_some());
        if let Some(error) = failed.filter(|_| !was_failing) {
            tracing::warn!(%error, "{so}");
        }
        was_failing && failed.is_none()
    }
}

#[cfg(test)]
mod tests {
    use storage::StorageError;

    use super::FailureLog;

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
}
