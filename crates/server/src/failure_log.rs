//! What the log says of work that is done again and again: a failure is logged once, until it is over. Whatever failed, such as the database, logs more.

use std::fmt::Display;

use app::{App, BackgroundTask};

/// Whether the log says already that some work fails.
#[derive(Default)]
pub(crate) struct FailureLog {
    is_failing: bool,
}

impl FailureLog {
    /// Counts a failure of this task each time, and logs it once, with what follows from it. Tells whether earlier failures are over.
    pub(crate) fn note<E: Display>(
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
    pub(crate) fn log<E: Display>(&mut self, failed: Option<&E>, so: &'static str) -> bool {
        let was_failing = std::mem::replace(&mut self.is_failing, failed.is_some());
        if let Some(error) = failed.filter(|_| !was_failing) {
            tracing::warn!(%error, "{so}");
        }
        was_failing && failed.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::FailureLog;

    #[test]
    fn a_failure_is_over_once() {
        let mut log = FailureLog::default();
        let outcomes = [None, Some("no disk"), Some("no disk"), None, None];

        let over = outcomes.map(|failed| log.log(failed.as_ref(), "nothing is kept"));

        assert_eq!(over, [false, false, false, true, false]);
    }
}
