//! Requests that a program may repeat: what was done under a key is done once, and its answer is kept for the repetition.

use std::time::Duration;

use oauth::Lifetime;
use storage::{KeyLease, KeyedRequest, KnownKey, StorageError};
use tokio::time::{Instant, interval, sleep, timeout_at};

use crate::App;
use crate::entropy::random;

/// A client that repeats a request does so within a day.
const KEPT_FOR: Lifetime = Lifetime::from_seconds(24 * 3_600);

/// A process that has not renewed its lease for so long is gone.
const GIVEN_UP_AFTER: Lifetime = Lifetime::from_seconds(60);

/// Several renewals may fail before a lease ends, also where the store takes a quarter of a minute to say so.
const RENEWED_EVERY: Duration = Duration::from_secs(10);

/// An hour. What takes longer hangs, and must not keep the key from the repetition for ever.
const RENEWALS_AT_MOST: usize = 360;

/// For how long the store is asked to keep an answer: enough for a database that starts anew, and the answer itself is still in time.
const TRIED_FOR: Duration = Duration::from_secs(10);

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
    let (lease, now) = (KeyLease { key, request, number }, app.now());
    let given_up_at = now + GIVEN_UP_AFTER;
    app.store().take_key(KeyedRequest { lease, now, given_up_at }).await
}

/// Does the work of the request that took a key. The key stays its own for as long as that takes, unless the lease could not be renewed in
/// time: the work goes on then, since nothing takes it back.
pub async fn hold_key<T>(app: &App, lease: KeyLease, work: impl Future<Output = T>) -> T {
    let renewals = async {
        renew(app, lease).await;
        std::future::pending().await
    };
    tokio::select! {
        done = work => done,
        never = renewals => never,
    }
}

/// Renews a lease for as long as the key is its own.
async fn renew(app: &App, lease: KeyLease) {
    let mut moments = interval(RENEWED_EVERY);
    // The first is now, when the key was taken.
    moments.tick().await;
    let mut is_failing = false;
    for _ in 0..RENEWALS_AT_MOST {
        moments.tick().await;
        let renewed = app.store().renew_lease(lease, app.now() + GIVEN_UP_AFTER).await;
        match renewed {
            Ok(true) => is_failing = false,
            Ok(false) => {
                tracing::warn!(
                    "a request is still being done whose key was given up: a repetition may do it again"
                );
                return;
            }
            Err(error) if is_failing || error.is_logged() => {}
            Err(error) => {
                is_failing = true;
                tracing::warn!("the key of a request could not be held: {error}");
            }
        }
    }
}

/// Keeps the answer to the request that took this key. If that is impossible, the answer is still the right one for the client that waits
/// for it; a repetition may do the request again.
pub async fn keep_answer(app: &App, lease: KeyLease, answer: String) {
    let keep = || app.store().keep_answer(lease, answer.clone(), app.now() + KEPT_FOR);
    match tried(keep).await {
        Ok(true) => {}
        Ok(false) => tracing::warn!("the answer to a request is not kept: another one has its key"),
        Err(error) if error.is_logged() => {}
        Err(error) => tracing::error!("the answer to a repetition could not be kept: {error}"),
    }
}

/// Forgets a key: nothing was done. If that is impossible, the key is free when its lease ends.
pub async fn forget_key(app: &App, lease: KeyLease) {
    if let Err(error) = app.store().forget_key(lease).await
        && !error.is_logged()
    {
        tracing::warn!("the key of a refused request is not free yet: {error}");
    }
}

/// Does it, again for a while where the store has too much to do, or starts anew.
async fn tried<T, F: Future<Output = Result<T, StorageError>>>(
    operation: impl Fn() -> F,
) -> Result<T, StorageError> {
    let ends = Instant::now() + TRIED_FOR;
    loop {
        let done = timeout_at(ends, operation()).await.unwrap_or(Err(StorageError::Busy));
        let may_pass = matches!(done, Err(StorageError::Busy | StorageError::Unavailable(_)));
        if !may_pass || Instant::now() + TRIED_EVERY >= ends {
            return done;
        }
        sleep(TRIED_EVERY).await;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::ready;

    use storage::StorageError;

    use super::tried;

    /// How often a store is asked that is too busy for so many times, and what comes of it.
    async fn asked(
        busy_times: usize,
        error: StorageError,
    ) -> (usize, Result<&'static str, StorageError>) {
        let asked = Cell::new(0);
        let operation = || {
            asked.set(asked.get() + 1);
            ready(if asked.get() > busy_times { Ok("done") } else { Err(error.clone()) })
        };
        let outcome = tried(operation).await;
        (asked.get(), outcome)
    }

    #[tokio::test(start_paused = true)]
    async fn a_busy_store_is_asked_again_within_limits() {
        let busy = StorageError::Busy;
        assert_eq!(asked(0, busy.clone()).await, (1, Ok("done")));
        assert_eq!(asked(3, busy.clone()).await, (4, Ok("done")));
        assert_eq!(asked(100, busy.clone()).await, (10, Err(busy)));
        assert_eq!(asked(3, StorageError::Full).await, (1, Err(StorageError::Full)));
    }
}
