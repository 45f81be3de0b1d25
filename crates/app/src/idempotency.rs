//! Requests that a program may repeat: what was done under a key is done once, and its answer is kept for the repetition.

use oauth::Lifetime;
use storage::{KeyedRequest, KnownKey, StorageError};

use crate::App;

/// A client that repeats a request does so within a day.
const KEPT_FOR: Lifetime = Lifetime::from_seconds(24 * 3_600);

/// Far more than any request takes. A process that has not answered by then is gone.
const GIVEN_UP_AFTER: Lifetime = Lifetime::from_seconds(60);

/// Takes a key for a request, both as hashes, or tells what became of the request that has it.
///
/// # Errors
/// When the store does not answer.
pub async fn take_key(
    app: &App,
    key: [u8; 32],
    request: [u8; 32],
) -> Result<KnownKey, StorageError> {
    let now = app.now();
    let given_up_at = now + GIVEN_UP_AFTER;
    app.store().take_key(KeyedRequest { key, request, now, given_up_at }).await
}

/// Keeps the answer to the request that took this key.
///
/// # Errors
/// When the store does not answer.
pub async fn keep_answer(app: &App, key: [u8; 32], answer: String) -> Result<(), StorageError> {
    app.store().keep_answer(key, answer, app.now() + KEPT_FOR).await
}

/// Forgets a key: nothing was done.
///
/// # Errors
/// When the store does not answer.
pub async fn forget_key(app: &App, key: [u8; 32]) -> Result<(), StorageError> {
    app.store().forget_key(key).await
}
