//! A lock for each refresh token, for requests that bring the same one at the same moment, as two windows of one application do. A request
//! that was waiting when another succeeded could not know of that answer: its client is neither a thief, nor did it lose an answer.
//!
//! Other processes on the database have locks of their own. So it is remembered for a moment which tokens were spent here: a token that was
//! spent just now, and not here, was spent by another process, whose answer is likely to be on its way still.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oauth::{CredentialHash, Timestamp};
use tokio::sync::OwnedMutexGuard;

/// What comes to two processes within so long counts as at once: that is how far apart windows that wake up together are, and how much slower
/// one process may be than another.
const AT_ONCE_MS: i64 = 250;

/// Since when what another process did counts as done at once with what comes now.
pub(super) fn at_once_since(now: Timestamp) -> Timestamp {
    Timestamp::from_milliseconds(now.as_milliseconds().saturating_sub(AT_ONCE_MS))
}

/// The refreshes that are under way, by the token that they spend.
#[derive(Default)]
pub(crate) struct TokenLocks(Mutex<Locks>);

#[derive(Default)]
struct Locks {
    by_token: HashMap<[u8; 32], Waiting>,
    /// Which tokens were spent here in the last moment, and when.
    spent: HashSet<[u8; 32]>,
    spent_at: VecDeque<(Timestamp, [u8; 32])>,
}

/// The requests with one token.
#[derive(Default)]
struct Waiting {
    /// How many have come; each has the number of those before it.
    arrivals: u64,
    /// The request that holds it is next. Says how many had come when one succeeded last.
    order: Arc<tokio::sync::Mutex<u64>>,
}

/// The lock of a token. The next request gets it when this is dropped.
pub(crate) struct TokenLock<'a> {
    locks: &'a TokenLocks,
    token: [u8; 32],
    number: u64,
    order: Arc<tokio::sync::Mutex<u64>>,
    place: Option<OwnedMutexGuard<u64>>,
}

impl TokenLocks {
    /// Waits until all that came earlier with this token are done.
    pub(crate) async fn take(&self, token: &CredentialHash, now: Timestamp) -> TokenLock<'_> {
        let mut lock = self.join(*token.as_bytes(), now);
        lock.place = Some(Arc::clone(&lock.order).lock_owned().await);
        lock
    }

    fn join(&self, token: [u8; 32], now: Timestamp) -> TokenLock<'_> {
        let mut locks = self.lock();
        locks.forget_before(at_once_since(now));
        let waiting = locks.by_token.entry(token).or_default();
        let (number, order) = (waiting.arrivals, Arc::clone(&waiting.order));
        waiting.arrivals += 1;
        TokenLock { locks: self, token, number, order, place: None }
    }

    fn lock(&self) -> MutexGuard<'_, Locks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Locks {
    /// A little longer than needed: what was spent by another process at the same time is told apart by it.
    fn forget_before(&mut self, moment: Timestamp) {
        while let Some((_, token)) = self.spent_at.pop_front_if(|(at, _)| *at < moment) {
            self.spent.remove(&token);
        }
    }
}

impl TokenLock<'_> {
    /// Whether another succeeded while this one waited.
    pub(crate) fn was_overtaken(&self) -> bool {
        self.place.as_ref().is_some_and(|arrivals_then| self.number < **arrivals_then)
    }

    /// Whether the token was spent by this process a moment ago.
    pub(crate) fn was_spent_here(&self) -> bool {
        self.locks.lock().spent.contains(&self.token)
    }

    /// Lets those who wait know.
    pub(crate) fn succeeded(mut self, now: Timestamp) {
        let mut locks = self.locks.lock();
        let arrivals = locks.by_token.get(&self.token).map_or(0, |waiting| waiting.arrivals);
        if locks.spent.insert(self.token) {
            locks.spent_at.push_back((now, self.token));
        }
        drop(locks);
        if let Some(place) = &mut self.place {
            **place = arrivals;
        }
    }
}

/// Also when its caller has hung up while it waited.
impl Drop for TokenLock<'_> {
    fn drop(&mut self) {
        self.place = None;
        let mut locks = self.locks.lock();
        // The map has the order and so has this lock; everybody else who waits has it, too.
        if Arc::strong_count(&self.order) == 2 {
            locks.by_token.remove(&self.token);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::{Pin, pin};
    use std::task::Poll;

    use oauth::{CredentialHash, Timestamp, hash};

    use super::{AT_ONCE_MS, TokenLocks};

    const NOW: Timestamp = Timestamp::from_milliseconds(1_000);

    fn token(text: &str) -> CredentialHash {
        hash(text).unwrap()
    }

    async fn is_waiting(lock: Pin<&mut impl Future>) -> bool {
        let mut lock = Some(lock);
        poll_fn(|context| {
            let polled = lock.take().map(|lock| lock.poll(context).is_pending());
            Poll::Ready(polled.unwrap_or_default())
        })
        .await
    }

    #[tokio::test]
    async fn who_waited_while_another_succeeded_was_overtaken() {
        let (locks, same) = (TokenLocks::default(), token("a"));
        let first = locks.take(&same, NOW).await;
        let other = locks.take(&token("b"), NOW).await;
        let mut second = pin!(locks.take(&same, NOW));

        assert!(is_waiting(second.as_mut()).await);
        assert!(!first.was_overtaken() && !other.was_overtaken());
        first.succeeded(NOW);
        let second = second.await;
        assert!(second.was_overtaken());

        let mut late = pin!(locks.take(&same, NOW));
        assert!(is_waiting(late.as_mut()).await);
        drop(second);
        assert!(!late.await.was_overtaken(), "the success was before it came");
    }

    #[tokio::test]
    async fn nobody_is_overtaken_by_who_fails() {
        let (locks, same) = (TokenLocks::default(), token("a"));
        let first = locks.take(&same, NOW).await;
        let mut second = pin!(locks.take(&same, NOW));
        assert!(is_waiting(second.as_mut()).await);

        drop(first);

        assert!(!second.await.was_overtaken());
    }

    #[tokio::test]
    async fn nothing_is_remembered_of_those_who_are_done_or_gave_up() {
        let (locks, same) = (TokenLocks::default(), token("a"));
        let first = locks.take(&same, NOW).await;
        {
            let second = pin!(locks.take(&same, NOW));
            assert!(is_waiting(second).await);
        }
        assert_eq!(locks.lock().by_token.len(), 1);

        first.succeeded(NOW);

        assert!(locks.lock().by_token.is_empty());
        assert!(!locks.take(&same, NOW).await.was_overtaken());
    }

    #[tokio::test]
    async fn what_was_spent_here_is_known_for_a_moment() {
        let (locks, same) = (TokenLocks::default(), token("a"));
        assert!(!locks.take(&same, NOW).await.was_spent_here());

        locks.take(&same, NOW).await.succeeded(NOW);

        let after =
            |milliseconds| Timestamp::from_milliseconds(NOW.as_milliseconds() + milliseconds);
        assert!(locks.take(&same, after(AT_ONCE_MS)).await.was_spent_here());
        assert!(!locks.take(&token("b"), NOW).await.was_spent_here());
        assert!(!locks.take(&same, after(AT_ONCE_MS + 1)).await.was_spent_here());
        let state = locks.lock();
        assert!(state.spent.is_empty() && state.spent_at.is_empty());
    }
}
