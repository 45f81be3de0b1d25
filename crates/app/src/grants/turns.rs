//! Refreshes with one token at the same moment, as from two windows of one application. They take turns; and who was waiting when
//! another succeeded could not know of that answer, so it is neither a thief nor somebody whose own answer was lost.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oauth::CredentialHash;
use tokio::sync::OwnedMutexGuard;

/// The refreshes that are under way, by the token that they spend.
#[derive(Default)]
pub(crate) struct Turns(Mutex<HashMap<[u8; 32], Line>>);

/// Those who use one token.
#[derive(Default)]
struct Line {
    /// How many have come; each has the number of those before it.
    arrivals: u64,
    /// Whoever holds it is next. Says how many had come when somebody succeeded last.
    order: Arc<tokio::sync::Mutex<u64>>,
}

/// A refresh whose turn it is. The next one's comes when this is dropped.
pub(crate) struct Turn<'a> {
    turns: &'a Turns,
    token: [u8; 32],
    number: u64,
    order: Arc<tokio::sync::Mutex<u64>>,
    place: Option<OwnedMutexGuard<u64>>,
}

impl Turns {
    /// Waits until all that came earlier with this token are done.
    pub(crate) async fn take(&self, token: &CredentialHash) -> Turn<'_> {
        let mut turn = self.join(*token.as_bytes());
        turn.place = Some(Arc::clone(&turn.order).lock_owned().await);
        turn
    }

    fn join(&self, token: [u8; 32]) -> Turn<'_> {
        let mut lines = self.lock();
        let line = lines.entry(token).or_default();
        let (number, order) = (line.arrivals, Arc::clone(&line.order));
        line.arrivals += 1;
        Turn { turns: self, token, number, order, place: None }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<[u8; 32], Line>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_> {
    /// Whether another succeeded while this one waited.
    pub(crate) fn was_overtaken(&self) -> bool {
        self.place.as_ref().is_some_and(|arrivals_then| self.number < **arrivals_then)
    }

    /// Lets those who wait know.
    pub(crate) fn succeeded(mut self) {
        let arrivals = self.turns.lock().get(&self.token).map_or(0, |line| line.arrivals);
        if let Some(place) = &mut self.place {
            **place = arrivals;
        }
    }
}

/// Also when its caller has hung up while it waited.
impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.place = None;
        let mut lines = self.turns.lock();
        // The map has the order and so has this turn; everybody else in the line has it, too.
        if Arc::strong_count(&self.order) == 2 {
            lines.remove(&self.token);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::{Pin, pin};
    use std::task::Poll;

    use oauth::{CredentialHash, hash};

    use super::Turns;

    fn token(text: &str) -> CredentialHash {
        hash(text).unwrap()
    }

    async fn is_waiting(turn: Pin<&mut impl Future>) -> bool {
        let mut turn = Some(turn);
        poll_fn(|context| {
            let polled = turn.take().map(|turn| turn.poll(context).is_pending());
            Poll::Ready(polled.unwrap_or_default())
        })
        .await
    }

    #[tokio::test]
    async fn who_waited_while_another_succeeded_was_overtaken() {
        let (turns, same) = (Turns::default(), token("a"));
        let first = turns.take(&same).await;
        let other = turns.take(&token("b")).await;
        let mut second = pin!(turns.take(&same));

        assert!(is_waiting(second.as_mut()).await);
        assert!(!first.was_overtaken() && !other.was_overtaken());
        first.succeeded();
        let second = second.await;
        assert!(second.was_overtaken());

        let mut late = pin!(turns.take(&same));
        assert!(is_waiting(late.as_mut()).await);
        drop(second);
        assert!(!late.await.was_overtaken(), "the success was before it came");
    }

    #[tokio::test]
    async fn nobody_is_overtaken_by_who_fails() {
        let (turns, same) = (Turns::default(), token("a"));
        let first = turns.take(&same).await;
        let mut second = pin!(turns.take(&same));
        assert!(is_waiting(second.as_mut()).await);

        drop(first);

        assert!(!second.await.was_overtaken());
    }

    #[tokio::test]
    async fn nothing_is_remembered_of_those_who_are_done_or_gave_up() {
        let (turns, same) = (Turns::default(), token("a"));
        let first = turns.take(&same).await;
        {
            let second = pin!(turns.take(&same));
            assert!(is_waiting(second).await);
        }
        assert_eq!(turns.lock().len(), 1);

        first.succeeded();

        assert!(turns.lock().is_empty());
        assert!(!turns.take(&same).await.was_overtaken());
    }
}
