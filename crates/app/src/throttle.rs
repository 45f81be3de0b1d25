//! Slows down whoever fails over and over. Each (address, name) pair has a bucket of attempts that refills with time, so an honest
//! member who mistyped is let in again soon, and nobody can lock a member out from elsewhere.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;

use oauth::Timestamp;
use sha2::{Digest as _, Sha256};

/// How many pairs are remembered. Each takes some 60 bytes; when all places are taken, those that have recovered most go first.
const PAIRS_AT_MOST: usize = 10_000;

/// How many failures are free, and how long each takes to be forgotten.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowance {
    pub(crate) failures: u16,
    pub(crate) forgotten_after_ms: i64,
}

/// Remembers failures, in memory and within bounds.
pub(crate) struct Throttle {
    allowance: Allowance,
    /// For each pair the moment at which all its failures will be forgotten.
    forgotten_at: Mutex<HashMap<Pair, i64>>,
}

/// An address and a hashed name: what was tried is nobody's business, also not of a memory dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Pair([u8; 32]);

/// Too many failures; the next attempt is welcome after so many seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many failed attempts; try again in {retry_after_seconds} seconds")]
pub struct TooManyFailures {
    /// What `Retry-After` says.
    pub retry_after_seconds: u32,
}

impl Pair {
    /// The pair of an address and the name that was tried from there.
    pub(crate) fn new(address: IpAddr, name: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(address.to_canonical().to_string());
        hash.update([0]);
        hash.update(name);
        Self(hash.finalize().into())
    }
}

impl Throttle {
    pub(crate) fn new(allowance: Allowance) -> Self {
        Self { allowance, forgotten_at: Mutex::default() }
    }

    /// Counts one more failure, or says that there have been too many already. An attempt that takes long is counted before it is
    /// made and forgotten when it succeeds, so that many at once do not slip through.
    pub(crate) fn count(&self, pair: Pair, now: Timestamp) -> Result<(), TooManyFailures> {
        let now = now.as_milliseconds();
        let mut pairs = self.lock();
        if pairs.len() >= PAIRS_AT_MOST && !pairs.contains_key(&pair) {
            make_room(&mut pairs, now);
        }
        let forgotten_at = pairs.entry(pair).or_insert(now);
        let next = (*forgotten_at).max(now) + self.allowance.forgotten_after_ms;
        let excess_ms = next - now - self.window_ms();
        if excess_ms > 0 {
            return Err(TooManyFailures { retry_after_seconds: seconds_rounded_up(excess_ms) });
        }
        *forgotten_at = next;
        Ok(())
    }

    /// Forgets the failures of somebody who has proved who they are.
    pub(crate) fn succeeded(&self, pair: Pair) {
        self.lock().remove(&pair);
    }

    fn window_ms(&self) -> i64 {
        i64::from(self.allowance.failures) * self.allowance.forgotten_after_ms
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Pair, i64>> {
        self.forgotten_at.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn seconds_rounded_up(milliseconds: i64) -> u32 {
    u32::try_from((milliseconds + 999) / 1000).unwrap_or(u32::MAX)
}

/// Drops everybody who is forgotten by now, and if that frees less than half, those who would be forgotten first.
fn make_room(pairs: &mut HashMap<Pair, i64>, now: i64) {
    pairs.retain(|_, forgotten_at| *forgotten_at > now);
    if pairs.len() <= PAIRS_AT_MOST / 2 {
        return;
    }
    let mut moments: Vec<i64> = pairs.values().copied().collect();
    let (_, median, _) = moments.select_nth_unstable(PAIRS_AT_MOST / 4);
    let median = *median;
    pairs.retain(|_, forgotten_at| *forgotten_at > median);
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use oauth::Timestamp;

    use super::{Allowance, PAIRS_AT_MOST, Pair, Throttle, TooManyFailures};

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
    const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::BROADCAST);

    fn throttle() -> Throttle {
        Throttle::new(Allowance { failures: 3, forgotten_after_ms: 10_000 })
    }

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_milliseconds(milliseconds)
    }

    #[test]
    fn a_few_failures_are_free_and_waiting_earns_another_attempt() {
        let (throttle, pair) = (throttle(), Pair::new(HERE, "ann"));
        for _ in 0..3 {
            assert_eq!(throttle.count(pair, at(0)), Ok(()));
        }

        assert_eq!(throttle.count(pair, at(500)), Err(TooManyFailures { retry_after_seconds: 10 }));
        assert_eq!(throttle.count(pair, at(10_000)), Ok(()));
        assert_eq!(
            throttle.count(pair, at(10_001)),
            Err(TooManyFailures { retry_after_seconds: 10 })
        );
    }

    #[test]
    fn failing_from_elsewhere_or_under_another_name_slows_nobody_else() {
        let throttle = throttle();
        while throttle.count(Pair::new(HERE, "ann"), at(0)).is_ok() {}

        assert_eq!(throttle.count(Pair::new(ELSEWHERE, "ann"), at(0)), Ok(()));
        assert_eq!(throttle.count(Pair::new(HERE, "bob"), at(0)), Ok(()));
    }

    #[test]
    fn success_clears_the_account() {
        let (throttle, pair) = (throttle(), Pair::new(HERE, "ann"));
        while throttle.count(pair, at(0)).is_ok() {}

        throttle.succeeded(pair);

        assert_eq!(throttle.count(pair, at(0)), Ok(()));
    }

    #[test]
    fn memory_is_bounded_and_the_worst_offender_is_remembered() {
        let (throttle, worst) = (throttle(), Pair::new(HERE, "worst"));
        while throttle.count(worst, at(0)).is_ok() {}
        for name in 0..2 * PAIRS_AT_MOST {
            let _counted = throttle.count(Pair::new(HERE, &name.to_string()), at(0));
        }

        assert!(throttle.lock().len() <= PAIRS_AT_MOST);
        assert!(throttle.count(worst, at(0)).is_err());
    }
}
