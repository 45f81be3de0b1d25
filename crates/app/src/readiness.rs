//! Can what we answer be made durable? To know takes a write, and anybody may ask: so it is written at most so often, and whoever asks
//! meanwhile gets the same answer.

use oauth::{Lifetime, Timestamp};
use storage::StorageError;
use tokio::sync::Mutex;

use crate::App;

/// A load balancer asks every few seconds; a disk that is full is told of after one.
const TRUE_FOR: Lifetime = Lifetime::from_seconds(1);

/// What was found last, and when. Who asks while it is being found out waits for that.
#[derive(Default)]
pub(crate) struct Readiness(Mutex<Option<(Timestamp, Result<(), StorageError>)>>);

/// Whether the store takes writes, as it was a second ago at most.
///
/// # Errors
/// If it does not.
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
