//! Seals the audit log while the server runs, and writes the head to the server's log: an operator who keeps that elsewhere can prove
//! later that the audit log is still the same.

use std::time::Duration;

use app::audit::seal_audit;
use app::{App, BackgroundTask};
use oauth::{Lifetime, Timestamp};
use storage::StorageError;
use tokio::time::{MissedTickBehavior, interval};

use crate::failure_log::FailureLog;

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
    failures: FailureLog,
    head_told_at: Option<Timestamp>,
}

impl Sealing {
    async fn step(&mut self, app: &App) {
        let failed = self.seal(app).await.err();
        let task = (app, BackgroundTask::AuditSealing);
        self.failures.note(task, failed.as_ref(), "the audit log could not be sealed");
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
