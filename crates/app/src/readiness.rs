//! Checks that the store can make writes durable. The check itself writes, and any program may ask: so we write once a second at most, and
//! requests in between get the same answer. A store that does not answer keeps no request waiting: it is not ready.

use std::sync::Arc;
use std::time::Duration;

use oauth::{Lifetime, Timestamp};
use storage::StorageError;
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::{Instant, timeout_at};

use crate::App;

/// A load balancer asks every few seconds; it hears of a full disk after one.
const TRUE_FOR: Lifetime = Lifetime::from_seconds(1);

/// The answer comes within a second. A store that takes so long makes every request wait.
const PATIENCE: Duration = Duration::from_millis(800);

/// The last result, and when it was found.
type Known = Option<(Timestamp, Result<(), StorageError>)>;

/// What is known; it is locked during a check.
#[derive(Default)]
pub(crate) struct Readiness(Arc<Mutex<Known>>);

/// Checks whether the store accepted writes at most a second ago.
///
/// # Errors
/// If it did not, or does not answer.
pub async fn require_writable(app: &App) -> Result<(), StorageError> {
    let silent = || Err(StorageError::Unavailable("no write was answered in time".to_owned()));
    let deadline = Instant::now() + PATIENCE;
    let turn = Arc::clone(&app.readiness().0).lock_owned();
    let Ok(known) = timeout_at(deadline, turn).await else { return silent() };
    if let Some((at, found)) = &*known
        && app.now() < *at + TRUE_FOR
    {
        return found.clone();
    }
    let mut checking = Box::pin(check(app.clone(), known));
    if let Ok(found) = timeout_at(deadline, &mut checking).await {
        return found;
    }
    // It continues when no request waits for it any more: a store that does not answer has one write to answer.
    tokio::spawn(checking);
    silent()
}

async fn check(app: App, mut known: OwnedMutexGuard<Known>) -> Result<(), StorageError> {
    let found = app.store().is_writable().await;
    *known = Some((app.now(), found.clone()));
    found
}
