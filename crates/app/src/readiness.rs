//! Checks that the store can make writes durable. The check itself writes, and any program may ask: so we write once a second at most, and
//! requests in between get the same answer.

use oauth::{Lifetime, Timestamp};
use storage::StorageError;
use tokio::sync::Mutex;

use crate::App;

/// A load balancer asks every few seconds; it hears of a full disk after one.
const TRUE_FOR: Lifetime = Lifetime::from_seconds(1);

/// The last result, and when it was found. Requests during a check wait for it.
#[derive(Default)]
pub(crate) struct Readiness(Mutex<Option<(Timestamp, Result<(), StorageError>)>>);

/// Checks whether the store accepted writes at most a second ago.
///
/// # Errors
/// If it did not.
pub async fn require_writable(app: &App) -> Result<(), StorageError> {
    let mut known = app.readiness().0.lock().await;
    if let Some((at, found)) = &*known
        && app.now() < *at + TRUE_FOR
    {
        return found.clone();
    }
    let found = app.store().is_writable().await;
    *known = Some((app.now(), found.clone()));
    found
}
