//! Requests that a program may repeat: what was done under a key is done once, and its answer is kept for the repetition.

use std::time::Duration;

use oauth::Lifetime;
use storage::{KeyLease, KeyedRequest, KnownKey, StorageError};
use tokio::time::sleep;

use crate::App;
use crate::entropy::random;

/// A client that repeats a request does so within a day.
const KEPT_FOR: Lifetime = Lifetime::from_seconds(24 * 3_600);

/// A process that has not renewed its lease for so long is gone.
const GIVEN_UP_AFTER: Lifetime = Lifetime::from_seconds(60);

/// Two renewals may fail before a lease ends.
const RENEWED_EVERY: Duration = Duration::from_secs(20);

/// An hour. What takes longer hangs, and must not keep the key from the repetition for ever.
const RENEWALS_AT_MOST: usize = 180;

/// How often the store is asked to note how a request ended, a second apart: long enough for a database that starts anew.
const TRIES: usize = 10;

const TRIED_EVERY: Duration = Duration::from_secs(1);

/// Takes a key for a request, both as hashes, or tells what became of the request that has it.
///
/// # Errors
/// When the store does not answer.
pub async fn take_key(
    app: &App,
    key: [u8; 32],
    request: [u8; 32],
) -> Result<KnownKey, StorageError> {
    let number = i64::from_be_bytes(random(app.entropy()));
    let (lease, now) = (KeyLease { key, number }, app.now());
    let given_up_at = now + GIVEN_UP_AFTER;
    app.store().take_key(KeyedRequest { lease, request, now, given_up_at }).await
}

/// Does the work of the request that took a key. The key stays its own for as long as that takes.
pub async fn hold_key<T>(app: &App, lease: KeyLease, work: impl Future<Output = T>) -> T {
    let renewals = async {
        for _ in 0..RENEWALS_AT_MOST {
            sleep(RENEWED_EVERY).await;
            let renewed = app.store().renew_lease(lease, app.now() + GIVEN_UP_AFTER).await;
            if let Err(error) = renewed {
                tracing::warn!("the key of a request could not be held: {error}");
            }
        }
        std::future::pending().await
    };
    tokio::select! {
        done = work => done,
        never = renewals => never,
    }
}

/// Keeps the answer to the request that took this key. If that is impossible, the answer is still the right one for the client that waits
/// for it; a repetition may do the request again.
pub async fn keep_answer(app: &App, lease: KeyLease, answer: String) {
    let keep = || app.store().keep_answer(lease, answer.clone(), app.now() + KEPT_FOR);
    match tried(keep).await {
        Ok(true) => {}
        Ok(false) => tracing::warn!("a request was given up, taken up again and done twice"),
        Err(error) => tracing::error!("the answer to a repetition could not be kept: {error}"),
    }
}

/// Forgets a key: nothing was done. If that is impossible, the key is free when its lease ends.
pub async fn forget_key(app: &App, lease: KeyLease) {
    if let Err(error) = tried(|| app.store().forget_key(lease)).await {
        tracing::warn!("the key of a refused request is not free yet: {error}");
    }
}

/// Does it, as often as it takes within limits: the store may have too much to do, or start anew.
async fn tried<T, F: Future<Output = Result<T, StorageError>>>(
    operation: impl Fn() -> F,
) -> Result<T, StorageError> {
    for _ in 1..TRIES {
        if let Ok(done) = operation().await {
            return Ok(done);
        }
        sleep(TRIED_EVERY).await;
    }
    operation().await
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::ready;

    use storage::StorageError;

    use super::{TRIES, tried};

    /// How often a store is asked that is too busy for so many times, and what comes of it.
    async fn asked(busy_times: usize) -> (usize, Result<&'static str, StorageError>) {
        let asked = Cell::new(0);
        let operation = || {
            asked.set(asked.get() + 1);
            ready(if asked.get() > busy_times { Ok("done") } else { Err(StorageError::Busy) })
        };
        let outcome = tried(operation).await;
        (asked.get(), outcome)
    }

    #[tokio::test(start_paused = true)]
    async fn a_busy_store_is_asked_again_within_limits() {
        assert_eq!(asked(0).await, (1, Ok("done")));
        assert_eq!(asked(3).await, (4, Ok("done")));
        assert_eq!(asked(TRIES).await, (TRIES, Err(StorageError::Busy)));
    }
}
