//! The real clock: the only place that asks the machine for the time.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use app::Clock;
use oauth::{CLOCK_AHEAD, Timestamp};

const AHEAD_AT_MOST_MS: i64 = CLOCK_AHEAD.seconds() * 1_000;

/// After a clock that was ahead, time goes on this many times slower. So the machine's clock catches up with it, and what lives for a time lives twice
/// as long at most.
const SLOWER: i64 = 2;

/// The machine's clock, but it never goes back: what has expired stays expired. If an operator sets the clock back, time goes on slower until the
/// machine's clock has caught up, unless that is more than a day behind: then the clock was wrong before, and is trusted now.
#[derive(Debug)]
pub(crate) struct SystemClock {
    started: Instant,
    furthest: Mutex<Furthest>,
}

/// How far time had come when the clock was furthest ahead.
#[derive(Debug, Clone, Copy)]
struct Furthest {
    moment: i64,
    /// How long after the start that was.
    elapsed: i64,
}

impl SystemClock {
    /// A clock that shows no earlier moment than this one, which an earlier process has already seen.
    pub(crate) fn not_before(moment: Option<Timestamp>) -> Self {
        let moment = moment.map_or(i64::MIN, Timestamp::as_milliseconds);
        Self { started: Instant::now(), furthest: Mutex::new(Furthest { moment, elapsed: 0 }) }
    }

    /// The present, if the machine's clock shows `shown` so many milliseconds after the start.
    fn read(&self, shown: i64, elapsed: i64) -> Timestamp {
        let mut furthest = self.furthest();
        let present = furthest.at(elapsed);
        let ahead_by = present.saturating_sub(shown);
        if ahead_by > AHEAD_AT_MOST_MS {
            tracing::warn!(
                "time was more than a day ahead of the machine's clock, which is trusted again; credentials from the time ahead are invalid"
            );
        } else if ahead_by > 0 {
            return Timestamp::from_milliseconds(present);
        }
        *furthest = Furthest { moment: shown, elapsed };
        Timestamp::from_milliseconds(shown)
    }

    fn furthest(&self) -> MutexGuard<'_, Furthest> {
        self.furthest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn elapsed(&self) -> i64 {
        i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX)
    }
}

impl Furthest {
    /// The least that time has come to by now. A thread may have read what has elapsed before another one noted its moment.
    fn at(self, elapsed: i64) -> i64 {
        self.moment.saturating_add((elapsed - self.elapsed).max(0) / SLOWER)
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        self.read(self.wall_time().as_milliseconds(), self.elapsed())
    }

    fn wall_time(&self) -> Timestamp {
        machine_time()
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
    fn time_never_goes_back_when_the_clock_is_set_back() {
        let clock = SystemClock::not_before(None);
        assert_eq!(read(&clock, 5 * HOUR, 0), 5 * HOUR);

        assert_eq!(read(&clock, 4 * HOUR + 10, 10), 5 * HOUR + 5);
        assert_eq!(read(&clock, 4 * HOUR + 20, 20), 5 * HOUR + 10);
        assert_eq!(read(&clock, 4 * HOUR + 19, 19), 5 * HOUR + 9, "of a thread that was slow");
    }

    #[test]
    fn a_clock_that_was_ahead_is_caught_up_with_in_twice_the_time() {
        let clock = SystemClock::not_before(None);
        assert_eq!(read(&clock, 5 * HOUR, 0), 5 * HOUR);

        for minute in 1..=120 {
            let elapsed = minute * HOUR / 60;
            let expected = 5 * HOUR + elapsed / 2;
            assert_eq!(read(&clock, 4 * HOUR + elapsed, elapsed), expected, "{minute}");
        }
        assert_eq!(read(&clock, 6 * HOUR + 1, 2 * HOUR + 1), 6 * HOUR + 1);
        assert_eq!(read(&clock, 7 * HOUR, 3 * HOUR), 7 * HOUR);
    }

    #[test]
    fn time_that_is_asked_for_often_goes_on_too() {
        let clock = SystemClock::not_before(Some(Timestamp::from_milliseconds(5 * HOUR)));

        let last = (0..=1_000).map(|elapsed| read(&clock, elapsed, elapsed)).last();

        assert_eq!(last, Some(5 * HOUR + 500));
    }

    #[test]
    fn time_follows_a_clock_that_is_set_forward() {
        let clock = SystemClock::not_before(None);
        assert_eq!(read(&clock, 5 * HOUR, 0), 5 * HOUR);

        assert_eq!(read(&clock, 6 * HOUR, 10), 6 * HOUR);
        assert_eq!(read(&clock, 5 * HOUR + 20, 20), 6 * HOUR + 5);
    }

    #[test]
    fn a_clock_that_was_far_ahead_for_a_moment_is_believed_when_it_is_right_again() {
        const YEARS: i64 = 10 * 365 * 24 * HOUR;
        let clock = SystemClock::not_before(None);
        assert_eq!(read(&clock, 5 * HOUR, 0), 5 * HOUR);
        assert_eq!(read(&clock, YEARS, 10), YEARS);

        assert_eq!(read(&clock, 5 * HOUR + 20, 20), 5 * HOUR + 20);
        assert_eq!(read(&clock, 4 * HOUR, 30), 5 * HOUR + 25, "and it does not go back from there");
        let clock = SystemClock::not_before(Some(Timestamp::from_milliseconds(YEARS)));
        assert_eq!(read(&clock, 5 * HOUR, 0), 5 * HOUR);
    }

    #[test]
    fn what_an_earlier_process_saw_is_past() {
        let clock = SystemClock::not_before(Some(Timestamp::from_milliseconds(5 * HOUR)));

        assert_eq!(read(&clock, 4 * HOUR, 0), 5 * HOUR);
        assert_eq!(read(&clock, 4 * HOUR + 30, 30), 5 * HOUR + 15);
        assert_eq!(read(&clock, 6 * HOUR, 2 * HOUR), 6 * HOUR);
    }
}
