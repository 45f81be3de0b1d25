//! Seals the audit log while the server runs, and writes the head to the server's log: an operator who keeps that elsewhere can prove
//! later that the audit log is still the same.

use std::time::Duration;

use app::audit::seal_audit;
use app::{App, BackgroundTask};
use oauth::{Lifetime, Timestamp};
use storage::StorageError;
use tokio::time::{MissedTickBehavior, interval};

const EVERY: Duration = Duration::from_secs(1);

const A_DAY: Lifetime = Lifetime::from_seconds(86_400);

/// Runs until the process ends.
pub(crate) fn start(app: App) {
    tokio::spawn(async move {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut sealing = Sealing::default();
        loop {
            ticks.tick().await;
            sealing.step(&app).await;
        }
    });
}

/// What the log says already.
#[derive(Default)]
struct Sealing {
    is_failing: bool,
    head_told_at: Option<Timestamp>,
}

impl Sealing {
    /// Logs a failure once, until it is over: the database logs more.
    async fn step(&mut self, app: &App) {
        let failed = self.seal(app).await.err();
        if failed.is_some() {
            app.monitor().failed(BackgroundTask::AuditSealing);
        }
        if let Some(error) = &failed
            && !self.is_failing
        {
            tracing::warn!(%error, "the audit log could not be sealed");
        }
        self.is_failing = failed.is_some();
    }

    async fn seal(&mut self, app: &App) -> Result<(), StorageError> {
        seal_audit(app).await?;
        let now = app.now();
        if self.head_told_at.is_some_and(|told_at| now < told_at + A_DAY) {
            return Ok(());
        }
        if let Some(head) = app.store().audit_head().await? {
            tracing::info!(seal = head.seal, hash = %head.hash, "the audit log is sealed");
            self.head_told_at = Some(now);
        }
        Ok(())
    }
}
