//! Writes the loads of snippets to the store while the server runs: delivery itself writes nothing.

use std::time::Duration;

use app::installations::record_loads;
use app::{App, BackgroundTask};
use tokio::time::{MissedTickBehavior, interval};

use crate::failure_log::FailureLog;

/// A person who waits for the first load sees it within this.
const EVERY: Duration = Duration::from_secs(1);

/// Runs until the process ends.
pub(crate) fn start(app: App) {
    tokio::spawn(async move {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut log = FailureLog::default();
        loop {
            ticks.tick().await;
            let failed = record_loads(&app).await.err();
            let task = (&app, BackgroundTask::Installations);
            log.note(task, failed.as_ref(), "loads of snippets could not be recorded");
        }
    });
}
