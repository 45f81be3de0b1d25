//! Slows down repeated failures. A few are free; after each further one comes a wait, twice as long each time up to a maximum, and failures
//! are forgotten with time. So an honest member who mistyped soon gets in again, and every wait ends, whatever happens to the clock.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;

use oauth::{Lifetime, Timestamp};
use sha2::{Digest as _, Sha256};

use crate::network::network_of;

/// How many sources are remembered. Each takes some 80 bytes; when all places are taken, those that have recovered most go first.
const SOURCES_AT_MOST: usize = 10_000;

/// How many failures are free, how long each takes to be forgotten, and what follows those beyond.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowance {
    pub(crate) failures: u16,
    pub(crate) forgotten_after_ms: i64,
    pub(crate) first_wait_ms: i64,
    pub(crate) longest_wait_ms: i64,
}

/// Remembers failures, in memory and within bounds.
pub(crate) struct Throttle {
    allowance: Allowance,
    sources: Mutex<HashMap<Source, Failures>>,
}

/// The origin or target of failures, hashed: not even a memory dump reveals what was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Source([u8; 32]);

/// What we remember of a source, in milliseconds. Only times are remembered, and no moments to come: a clock that was days ahead would leave
/// moments that are days away once the clock is right.
#[derive(Debug, Clone, Copy)]
struct Failures {
    /// When the following was so, since 1970 began.
    at: i64,
    /// After what time all of them will be forgotten.
    forgotten_in: i64,
    /// After what time the next attempt is allowed.
    welcome_in: i64,
}

/// Too many failures; the next attempt is allowed after `retry_after_seconds`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many failed attempts; try again in {}", self.wait())]
pub struct TooManyFailures {
    /// The value of `Retry-After`.
    pub retry_after_seconds: u32,
}

impl TooManyFailures {
    /// The time until the next attempt, for people: `40 minutes`.
    #[must_use]
    pub fn wait(self) -> String {
        Lifetime::from_seconds(self.retry_after_seconds.into()).words()
    }
}

impl Source {
    /// Attempts on this name from this address.
    pub(crate) fn attempts_on(name: &str, address: IpAddr) -> Self {
        Self::hash(&["pair", &network_of(address).to_string(), name])
    }

    /// All attempts on this name.
    pub(crate) fn name(name: &str) -> Self {
        Self::hash(&["name", name])
    }

    /// All attempts from this address, or its network: an IPv6 host has very many addresses.
    pub(crate) fn address(address: IpAddr) -> Self {
        Self::hash(&["address", &network_of(address).to_string()])
    }

    /// All attempts in this browser.
    pub(crate) fn browser(id: &str) -> Self {
        Self::hash(&["browser", id])
    }

    fn hash(parts: &[&str]) -> Self {
        let joined = parts.iter().fold(Sha256::new(), |hash, part| {
            hash.chain_update(part.len().to_le_bytes()).chain_update(part)
        });
        Self(joined.finalize().into())
    }
}

impl Throttle {
    pub(crate) fn new(allowance: Allowance) -> Self {
        Self { allowance, sources: Mutex::default() }
    }

    /// Counts one more failure, or returns that there were too many. A slow attempt is counted before it is made and taken back when it
    /// succeeds, so that many at once do not slip through.
    pub(crate) fn count(&self, source: Source, now: Timestamp) -> Result<(), TooManyFailures> {
        let now = now.as_milliseconds();
        let mut sources = self.lock();
        if sources.len() >= SOURCES_AT_MOST && !sources.contains_key(&source) {
            make_room(&mut sources, now);
        }
        let found = sources.entry(source).or_insert(Failures::none(now));
        found.pass_until(now);
        found.check()?;
        found.forgotten_in += self.allowance.forgotten_after_ms;
        found.welcome_in = self.allowance.wait_after(found.forgotten_in);
        Ok(())
    }

    /// Counts as many more for one that was counted. Beyond those that are free, the next one waits until they are forgotten.
    pub(crate) fn add(&self, source: Source, more: u16, now: Timestamp) {
        let Allowance { failures, forgotten_after_ms, .. } = self.allowance;
        if let Some(found) = self.lock().get_mut(&source)
            && more > 0
        {
            found.pass_until(now.as_milliseconds());
            found.forgotten_in += i64::from(more) * forgotten_after_ms;
            let beyond = found.forgotten_in - i64::from(failures) * forgotten_after_ms;
            found.welcome_in = found.welcome_in.max(beyond);
        }
    }

    /// Checks whether there were too many, and counts nothing.
    pub(crate) fn check(&self, source: Source, now: Timestamp) -> Result<(), TooManyFailures> {
        self.lock().get_mut(&source).map_or(Ok(()), |found| {
            found.pass_until(now.as_milliseconds());
            found.check()
        })
    }

    /// Takes one failure back. The next attempt is allowed at once.
    pub(crate) fn take_back(&self, source: Source) {
        if let Some(found) = self.lock().get_mut(&source) {
            found.forgotten_in -= self.allowance.forgotten_after_ms;
            found.welcome_in = 0;
        }
    }

    /// Forgets the failures of a source that has proved its identity.
    pub(crate) fn forget(&self, source: Source) {
        self.lock().remove(&source);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Source, Failures>> {
        self.sources.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Failures {
    const fn none(at: i64) -> Self {
        Self { at, forgotten_in: 0, welcome_in: 0 }
    }

    /// Lets time pass until `now`. When the clock was set back, none has passed.
    fn pass_until(&mut self, now: i64) {
        let passed = now.saturating_sub(self.at).max(0);
        self.at = now;
        self.forgotten_in = self.forgotten_in.saturating_sub(passed).max(0);
        self.welcome_in = self.welcome_in.saturating_sub(passed).max(0);
    }

    fn check(self) -> Result<(), TooManyFailures> {
        if self.welcome_in > 0 {
            return Err(TooManyFailures {
                retry_after_seconds: seconds_rounded_up(self.welcome_in),
            });
        }
        Ok(())
    }
}

impl Allowance {
    /// How long to wait after the failure with which all will be forgotten in `forgotten_in_ms`.
    fn wait_after(self, forgotten_in_ms: i64) -> i64 {
        let counted = (forgotten_in_ms + self.forgotten_after_ms - 1) / self.forgotten_after_ms;
        let Ok(beyond) = u32::try_from(counted - i64::from(self.failures)) else { return 0 };
        let doubled =
            2_i64.checked_pow(beyond).and_then(|times| self.first_wait_ms.checked_mul(times));
        doubled.unwrap_or(self.longest_wait_ms).min(self.longest_wait_ms)
    }
}

fn seconds_rounded_up(milliseconds: i64) -> u32 {
    u32::try_from((milliseconds + 999) / 1000).unwrap_or(u32::MAX)
}

/// Drops all sources that are forgotten by now; if that frees less than half, also those that would be forgotten first.
fn make_room(sources: &mut HashMap<Source, Failures>, now: i64) {
    sources.retain(|_, failures| {
        failures.pass_until(now);
        failures.forgotten_in.max(failures.welcome_in) > 0
    });
    if sources.len() <= SOURCES_AT_MOST / 2 {
        return;
    }
    let mut times: Vec<i64> = sources.values().map(|failures| failures.forgotten_in).collect();
    let (_, median, _) = times.select_nth_unstable(SOURCES_AT_MOST / 4);
    let median = *median;
    sources.retain(|_, failures| failures.forgotten_in > median);
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use oauth::Timestamp;
    use proptest::prelude::*;

    use super::{Allowance, SOURCES_AT_MOST, Source, Throttle, TooManyFailures};

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
    const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::BROADCAST);

    fn throttle() -> Throttle {
        Throttle::new(Allowance {
            failures: 3,
            forgotten_after_ms: 60_000,
            first_wait_ms: 10_000,
            longest_wait_ms: 40_000,
        })
    }

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_milliseconds(milliseconds)
    }

    fn refused(retry_after_seconds: u32) -> Result<(), TooManyFailures> {
        Err(TooManyFailures { retry_after_seconds })
    }

    #[test]
    fn a_few_failures_are_free_and_then_each_wait_is_longer_up_to_the_longest() {
        let (throttle, source) = (throttle(), Source::name("ann"));
        for _ in 0..3 {
            assert_eq!(throttle.count(source, at(0)), Ok(()));
        }

        for (moment, wait) in [(0, 10), (10_000, 20), (30_000, 40), (70_000, 40)] {
            assert_eq!(throttle.count(source, at(moment + 1_000)), refused(wait - 1), "{moment}");
            assert_eq!(throttle.count(source, at(moment + i64::from(wait) * 1_000)), Ok(()));
        }
    }

    proptest! {
        #[test]
        fn waiting_ends_whatever_a_caller_does(pauses in prop::collection::vec(0..50_000_i64, 1..100)) {
            let (throttle, source) = (throttle(), Source::name("ann"));
            let mut now = 0;
            for pause in pauses {
                now += pause;
                if let Err(TooManyFailures { retry_after_seconds }) = throttle.count(source, at(now)) {
                    prop_assert!((1..=40).contains(&retry_after_seconds));
                    prop_assert_eq!(throttle.check(source, at(now)), refused(retry_after_seconds));
                    now += i64::from(retry_after_seconds) * 1_000;
                    prop_assert_eq!(throttle.count(source, at(now)), Ok(()));
                }
            }
        }

        #[test]
        fn however_many_fail_at_once_few_get_through(attempts in 1..200_usize) {
            let (throttle, source) = (throttle(), Source::name("ann"));

            let through = (0..attempts).filter(|_| throttle.count(source, at(0)).is_ok());

            prop_assert_eq!(through.count(), attempts.min(3));
        }

        #[test]
        fn an_attempt_that_succeeds_counts_for_nothing(others in 0..3_usize, successes in 1..100_usize) {
            let (throttle, source) = (throttle(), Source::name("ann"));
            for _ in 0..others {
                throttle.count(source, at(0)).unwrap();
            }

            for _ in 0..successes {
                prop_assert_eq!(throttle.count(source, at(0)), Ok(()));
                throttle.take_back(source);
            }

            let left = (0..10).filter(|_| throttle.count(source, at(0)).is_ok()).count();
            prop_assert_eq!(left, 3 - others);
        }
    }

    #[test]
    fn more_that_is_added_delays_the_next_until_it_is_forgotten() {
        let (throttle, source) = (throttle(), Source::name("ann"));
        assert_eq!(throttle.count(source, at(0)), Ok(()));

        throttle.add(source, 1, at(0));
        assert_eq!(throttle.check(source, at(0)), Ok(()), "two of three");
        throttle.add(source, 3, at(0));

        assert_eq!(throttle.count(source, at(0)), refused(120));
        assert_eq!(throttle.count(source, at(119_999)), refused(1));
        assert_eq!(throttle.check(source, at(120_000)), Ok(()));
        throttle.add(Source::name("bob"), 9, at(0));
        assert_eq!(throttle.check(Source::name("bob"), at(0)), Ok(()), "he was not counted");
    }

    #[test]
    fn failures_are_forgotten_with_time() {
        let (throttle, source) = (throttle(), Source::name("ann"));
        while throttle.count(source, at(0)).is_ok() {}

        for _ in 0..3 {
            assert_eq!(throttle.count(source, at(180_000)), Ok(()));
        }
        assert_eq!(throttle.check(source, at(180_000)), refused(10));
        assert_eq!(throttle.count(source, at(180_000)), refused(10));
        assert_eq!(throttle.check(source, at(190_000)), Ok(()));
    }

    #[test]
    fn after_a_clock_that_was_weeks_ahead_a_wait_is_as_long_as_ever() {
        let ahead = 49 * 24 * 3_600 * 1_000;
        let (throttle, source) = (throttle(), Source::name("ann"));
        throttle.count(source, at(ahead)).unwrap();
        throttle.take_back(source);
        assert_eq!(throttle.count(source, at(0)), Ok(()), "one attempt is not too many");

        while throttle.count(source, at(ahead)).is_ok() {}

        assert_eq!(throttle.check(source, at(1_000)), refused(10));
        assert_eq!(throttle.count(source, at(6_000)), refused(5));
        assert_eq!(throttle.check(source, at(11_000)), Ok(()));
        assert_eq!(throttle.count(source, at(181_000)), Ok(()), "all are forgotten");
        assert_eq!(throttle.count(source, at(181_000)), Ok(()));
    }

    #[test]
    fn a_wait_is_told_in_words() {
        let told = TooManyFailures { retry_after_seconds: 2_400 }.to_string();

        assert_eq!(told, "too many failed attempts; try again in 40 minutes");
    }

    #[test]
    fn attempts_of_one_source_slow_no_other() {
        let throttle = throttle();
        while throttle.count(Source::attempts_on("ann", HERE), at(0)).is_ok() {}

        for source in [
            Source::attempts_on("ann", ELSEWHERE),
            Source::attempts_on("bob", HERE),
            Source::name("ann"),
            Source::address(HERE),
            Source::browser("ann"),
        ] {
            assert_eq!(throttle.count(source, at(0)), Ok(()));
        }
    }

    #[test]
    fn all_addresses_of_an_ipv6_network_are_one() {
        let source = |text: &str| Source::address(text.parse().unwrap());

        assert_eq!(source("2001:db8:0:1::7"), source("2001:db8:0:1:ffff::8"));
        assert_ne!(source("2001:db8:0:1::7"), source("2001:db8:0:2::7"));
    }

    #[test]
    fn success_clears_the_account() {
        let (throttle, source) = (throttle(), Source::name("ann"));
        while throttle.count(source, at(0)).is_ok() {}

        throttle.forget(source);

        assert_eq!(throttle.count(source, at(0)), Ok(()));
    }

    #[test]
    fn an_attempt_that_was_no_failure_is_taken_back_alone() {
        let (throttle, source) = (throttle(), Source::name("ann"));
        while throttle.count(source, at(0)).is_ok() {}

        throttle.take_back(source);

        assert_eq!(throttle.count(source, at(0)), Ok(()));
        assert_eq!(throttle.count(source, at(0)), refused(10));
    }

    #[test]
    fn memory_is_bounded_and_the_worst_offender_is_remembered() {
        let (throttle, worst) = (throttle(), Source::name("worst"));
        while throttle.count(worst, at(0)).is_ok() {}
        for name in 0..2 * SOURCES_AT_MOST {
            let _counted = throttle.count(Source::name(&name.to_string()), at(0));
        }

        assert!(throttle.lock().len() <= SOURCES_AT_MOST);
        assert!(throttle.count(worst, at(0)).is_err());
    }
}
