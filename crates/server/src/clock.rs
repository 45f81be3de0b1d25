//! The real clock: the only place that asks the machine for the time.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use app::Clock;
use oauth::{CLOCK_AHEAD, Timestamp};

const AHEAD_AT_MOST_MS: i64 = CLOCK_AHEAD.seconds() * 1_000;

/// The machine's clock, but it never goes back: what has expired stays expired. If an operator sets the clock back, time continues from
/// where it was, unless that is more than a day ahead: then the clock was wrong before, and is trusted now.
#[derive(Debug)]
pub(crate) struct SystemClock {
    started: Instant,
    /// The moment of the start, in milliseconds since 1970-01-01 UTC: by the clock when it was furthest ahead.
    started_at: AtomicI64,
}

impl SystemClock {
    /// A clock that shows no earlier moment than this one, which an earlier process has already seen.
    pub(crate) fn not_before(moment: Option<Timestamp>) -> Self {
        let started_at = moment.map_or(i64::MIN, Timestamp::as_milliseconds);
        Self { started: Instant::now(), started_at: AtomicI64::new(started_at) }
    }

    /// The present, if the machine's clock shows this many milliseconds after the start.
    fn read(&self, shown: i64, elapsed: i64) -> Timestamp {
        let started_at = shown - elapsed;
        let furthest = self.started_at.fetch_max(started_at, Ordering::Relaxed).max(started_at);
        if furthest.saturating_sub(started_at) <= AHEAD_AT_MOST_MS {
            return Timestamp::from_milliseconds(furthest + elapsed);
        }
        tracing::warn!(
            "time was more than a day ahead of the machine's clock, which is trusted again; credentials from the time ahead are invalid"
        );
        self.started_at.store(started_at, Ordering::Relaxed);
        Timestamp::from_milliseconds(shown)
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let elapsed = i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX);
        self.read(machine_time().as_milliseconds(), elapsed)
    }
}

/// The time of the machine's clock, right or wrong.
#[expect(clippy::disallowed_methods, reason = "this is the place that reads the time")]
pub(crate) fn machine_time() -> Timestamp {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_milliseconds(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use oauth::Timestamp;

    use super::SystemClock;

    const HOUR: i64 = 3_600_000;

    fn read(clock: &SystemClock, shown: i64, elapsed: i64) -> i64 {
        clock.read(shown, elapsed).as_milliseconds()
    }

    #[test]
    fn time_is_what_the_machine_shows() {
        let clock = SystemClock::not_before(None);

        assert_eq!(read(&clock, 1_000, 0), 1_000);
        assert_eq!(read(&clock, 1_500, 500), 1_500);
    }

    #[test]
    fn time_goes_on_when_the_clock_is_set_back() {
        let clock = SystemClock::not_before(None);
        assert_eq!(read(&clock, 5 * HOUR, 0), 5 * HOUR);

        assert_eq!(read(&clock, 4 * HOUR + 10, 10), 5 * HOUR + 10);
        assert_eq!(read(&clock, 4 * HOUR + 20, 20), 5 * HOUR + 20);
    }

    #[test]
    fn time_follows_a_clock_that_is_set_forward() {
        let clock = SystemClock::not_before(None);
        assert_eq!(read(&clock, 5 * HOUR, 0), 5 * HOUR);

        assert_eq!(read(&clock, 6 * HOUR, 10), 6 * HOUR);
        assert_eq!(read(&clock, 5 * HOUR + 20, 20), 6 * HOUR + 10);
    }

    #[test]
    fn a_clock_that_was_far_ahead_for_a_moment_is_believed_when_it_is_right_again() {
        const YEARS: i64 = 10 * 365 * 24 * HOUR;
        let clock = SystemClock::not_before(None);
        assert_eq!(read(&clock, 5 * HOUR, 0), 5 * HOUR);
        assert_eq!(read(&clock, YEARS, 10), YEARS);

        assert_eq!(read(&clock, 5 * HOUR + 20, 20), 5 * HOUR + 20);
        assert_eq!(read(&clock, 4 * HOUR, 30), 5 * HOUR + 30, "and it does not go back from there");
        let clock = SystemClock::not_before(Some(Timestamp::from_milliseconds(YEARS)));
        assert_eq!(read(&clock, 5 * HOUR, 0), 5 * HOUR);
    }

    #[test]
    fn what_an_earlier_process_saw_is_past() {
        let clock = SystemClock::not_before(Some(Timestamp::from_milliseconds(5 * HOUR)));

        assert_eq!(read(&clock, 4 * HOUR, 0), 5 * HOUR);
        assert_eq!(read(&clock, 4 * HOUR + 30, 30), 5 * HOUR + 30);
    }
}
