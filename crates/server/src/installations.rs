//! Writes the loads of snippets to the store while the server runs: delivery itself writes nothing.

use std::time::Duration;

use app::installations::record_loads;
use app::{App, BackgroundTask};
use tokio::time::{MissedTickBehavior, interval};

/// A person who waits for the first load sees it within this.
const EVERY: Duration = Duration::from_secs(1);

/// Runs until the process ends. A failure is logged once, until it is over: the database logs more.
pub(crate) fn start(app: App) {
    tokio::spawn(async move {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut is_failing = false;
        loop {
            ticks.tick().await;
            let failed = record_loads(&app).await.err();
            if let Some(error) = failed.as_ref().filter(|_| !is_failing) {
                tracing::warn!(%error, "loads of snippets could not be recorded");
            }
            if failed.is_some() {
                app.monitor().failed(BackgroundTask::Installations);
            }
            is_failing = failed.is_some();
        }
    });
}
