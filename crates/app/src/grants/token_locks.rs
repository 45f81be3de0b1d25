//! A lock for each refresh token, for simultaneous requests with the same one, as from two windows of one application. A request that
//! had arrived before another succeeded could not know that answer: its client did not steal the token, nor lose an answer.
//!
//! Other processes on the database have their own locks. So this process remembers for a moment which tokens it spent: another process
//! spent any other token that was just spent, and its answer is probably still on its way.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oauth::{CredentialHash, Timestamp};
use tokio::sync::OwnedMutexGuard;

/// Requests to two processes within this time count as simultaneous: two windows wake up this far apart, and one process may be this much
/// slower than another.
const AT_ONCE_MS: i64 = 250;

/// The earliest time at which another process's refresh counts as simultaneous with a request now.
pub(super) fn at_once_since(now: Timestamp) -> Timestamp {
    Timestamp::from_milliseconds(now.as_milliseconds().saturating_sub(AT_ONCE_MS))
}

/// The refreshes in progress, by the token that they spend.
#[derive(Default)]
pub(crate) struct TokenLocks(Mutex<Locks>);

#[derive(Default)]
struct Locks {
    by_token: HashMap<[u8; 32], Waiting>,
    /// The tokens that this process spent in the last moment, and when.
    spent: HashSet<[u8; 32]>,
    spent_at: VecDeque<(Timestamp, [u8; 32])>,
}

/// The requests with one token.
#[derive(Default)]
struct Waiting {
    /// How many requests have arrived; each one's number is the count before it.
    arrivals: u64,
    /// The next request in order holds it. Its value is the number of arrivals at the last success.
    order: Arc<tokio::sync::Mutex<u64>>,
}

/// A request's place in the queue of a token, and its lock once the request has waited for it. Dropping it lets the next request in.
pub(crate) struct TokenLock<'a> {
    locks: &'a TokenLocks,
    token: [u8; 32],
    arrived_at: Timestamp,
    /// Whether this process had spent the token by then.
    was_spent: bool,
    number: u64,
    order: Arc<tokio::sync::Mutex<u64>>,
    place: Option<OwnedMutexGuard<u64>>,
}

impl TokenLocks {
    /// Notes that a request with this token has arrived. What comes before the refresh, such as who asks, may take longer than the whole of
    /// another request, whose answer this one still cannot know.
    pub(crate) fn arrive(&self, token: &CredentialHash, now: Timestamp) -> TokenLock<'_> {
        let token = *token.as_bytes();
        let mut locks = self.lock();
        locks.forget_before(at_once_since(now));
        let was_spent = locks.spent.contains(&token);
        let waiting = locks.by_token.entry(token).or_default();
        let (number, order) = (waiting.arrivals, Arc::clone(&waiting.order));
        waiting.arrivals += 1;
        TokenLock { locks: self, token, arrived_at: now, was_spent, number, order, place: None }
    }

    fn lock(&self) -> MutexGuard<'_, Locks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Locks {
    /// Keeps spent tokens slightly longer than needed, to tell them from those that another process spent at the same time.
    fn forget_before(&mut self, moment: Timestamp) {
        while let Some((_, token)) = self.spent_at.pop_front_if(|(at, _)| *at < moment) {
            self.spent.remove(&token);
        }
    }
}

impl TokenLock<'_> {
    /// When the request arrived.
    pub(crate) fn arrived_at(&self) -> Timestamp {
        self.arrived_at
    }

    /// Waits until no other request with this token is being done.
    pub(crate) async fn wait(mut self) -> Self {
        self.place = Some(Arc::clone(&self.order).lock_owned().await);
        self
    }

    /// Whether another request succeeded after this one had arrived.
    pub(crate) fn was_overtaken(&self) -> bool {
        self.place.as_ref().is_some_and(|arrivals_then| self.number < **arrivals_then)
    }

    /// Whether this process spent the token a moment before the request arrived, or since.
    pub(crate) fn was_spent_here(&self) -> bool {
        self.was_spent || self.was_overtaken()
    }

    /// Tells the waiting requests.
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

/// Also runs when the client disconnects while it waits.
impl Drop for TokenLock<'_> {
    fn drop(&mut self) {
        self.place = None;
        let mut locks = self.locks.lock();
        // One reference is in the map, one in this lock; each other waiting request holds one, too.
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

    use super::{AT_ONCE_MS, TokenLock, TokenLocks};

    const NOW: Timestamp = Timestamp::from_milliseconds(1_000);

    fn token(text: &str) -> CredentialHash {
        hash(text).unwrap()
    }

    async fn take<'a>(
        locks: &'a TokenLocks,
        token: &CredentialHash,
        now: Timestamp,
    ) -> TokenLock<'a> {
        locks.arrive(token, now).wait().await
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
    async fn a_request_that_waited_for_a_success_was_overtaken() {
        let (locks, same) = (TokenLocks::default(), token("a"));
        let first = take(&locks, &same, NOW).await;
        let other = take(&locks, &token("b"), NOW).await;
        let mut second = pin!(take(&locks, &same, NOW));

        assert!(is_waiting(second.as_mut()).await);
        assert!(!first.was_overtaken() && !other.was_overtaken());
        first.succeeded(NOW);
        let second = second.await;
        assert!(second.was_overtaken());

        let mut late = pin!(take(&locks, &same, NOW));
        assert!(is_waiting(late.as_mut()).await);
        drop(second);
        assert!(!late.await.was_overtaken(), "the success was before it came");
    }

    #[tokio::test]
    async fn a_request_that_arrived_before_a_success_was_overtaken_however_late_it_waits() {
        let (locks, same) = (TokenLocks::default(), token("a"));
        let first = take(&locks, &same, NOW).await;
        let second = locks.arrive(&same, NOW);

        first.succeeded(NOW);

        assert!(second.wait().await.was_overtaken());
    }

    #[tokio::test]
    async fn a_failed_request_does_not_overtake_the_next() {
        let (locks, same) = (TokenLocks::default(), token("a"));
        let first = take(&locks, &same, NOW).await;
        let mut second = pin!(take(&locks, &same, NOW));
        assert!(is_waiting(second.as_mut()).await);

        drop(first);

        assert!(!second.await.was_overtaken());
    }

    #[tokio::test]
    async fn nothing_is_remembered_of_those_who_are_done_or_gave_up() {
        let (locks, same) = (TokenLocks::default(), token("a"));
        let first = take(&locks, &same, NOW).await;
        {
            let second = pin!(take(&locks, &same, NOW));
            assert!(is_waiting(second).await);
        }
        assert_eq!(locks.lock().by_token.len(), 1);

        first.succeeded(NOW);

        assert!(locks.lock().by_token.is_empty());
        assert!(!take(&locks, &same, NOW).await.was_overtaken());
    }

    #[tokio::test]
    async fn a_token_spent_by_this_process_is_known_for_a_moment() {
        let (locks, same) = (TokenLocks::default(), token("a"));
        assert!(!take(&locks, &same, NOW).await.was_spent_here());

        take(&locks, &same, NOW).await.succeeded(NOW);

        let after =
            |milliseconds| Timestamp::from_milliseconds(NOW.as_milliseconds() + milliseconds);
        assert!(take(&locks, &same, after(AT_ONCE_MS)).await.was_spent_here());
        assert!(!take(&locks, &token("b"), NOW).await.was_spent_here());
        assert!(!take(&locks, &same, after(AT_ONCE_MS + 1)).await.was_spent_here());
        let state = locks.lock();
        assert!(state.spent.is_empty() && state.spent_at.is_empty());
    }

    #[tokio::test]
    async fn what_was_spent_before_a_request_is_known_however_late_it_waits() {
        let (locks, same) = (TokenLocks::default(), token("a"));
        take(&locks, &same, NOW).await.succeeded(NOW);
        let slow = locks.arrive(&same, NOW);

        let later = Timestamp::from_milliseconds(NOW.as_milliseconds() + AT_ONCE_MS + 1);
        drop(locks.arrive(&token("b"), later));

        assert!(slow.wait().await.was_spent_here());
    }
}
