//! The real clock: the only place that asks the machine for the time. `setting.rs` sets it by the database's, where that has one.

pub(crate) mod setting;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use app::Clock;
use oauth::{CLOCK_AHEAD, Lifetime, Timestamp};

/// Synchronised clocks differ by less.
pub(crate) const CLOCKS_DIFFER_BY: Lifetime = Lifetime::from_seconds(60);

const AHEAD_AT_MOST_MS: i64 = CLOCK_AHEAD.seconds() * 1_000;

/// After a clock that was ahead, time goes on this many times slower. So the clock catches up with it, and what lives for a time lives twice as long
/// at most.
const SLOWER: i64 = 2;

/// The database's clock, or the machine's where the database has none. Time never goes back: what has expired stays expired. If the clock is
/// set back, time goes on slower until the clock has caught up, unless that is more than a day behind: then it was wrong before, and is trusted now.
#[derive(Debug)]
pub(crate) struct SystemClock {
    started: Instant,
    state: Mutex<ClockState>,
}

/// What is known of the time; in milliseconds since 1970 began, and since the start of the process.
#[derive(Debug, Clone, Copy)]
struct ClockState {
    /// The moment of the start by the database's clock. The time since is the machine's, which goes evenly, whatever its clock is set to.
    database_started_at: Option<i64>,
    /// How far time had come when the clock was furthest ahead, and how long after the start that was.
    furthest: i64,
    elapsed: i64,
}

impl SystemClock {
    /// The machine's clock.
    pub(crate) fn new() -> Self {
        Self { started: Instant::now(), state: Mutex::new(ClockState::new()) }
    }

    /// From now on, this goes by the database's clock, which showed this moment so many milliseconds after the start.
    fn set_by_database(&self, shown: Timestamp, elapsed: i64) {
        self.state().database_started_at = Some(shown.as_milliseconds() - elapsed);
    }

    fn is_set_by_database(&self) -> bool {
        self.state().database_started_at.is_some()
    }

    /// Time goes on from this moment, which another process has seen, unless that is past, or far ahead.
    fn go_on_from(&self, moment: Timestamp) {
        let (machine, elapsed) = (machine_time().as_milliseconds(), self.elapsed());
        self.state().go_on_from(moment.as_milliseconds(), machine, elapsed);
    }

    /// Milliseconds since the start.
    fn elapsed(&self) -> i64 {
        i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    fn state(&self) -> MutexGuard<'_, ClockState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let (machine, elapsed) = (machine_time().as_milliseconds(), self.elapsed());
        Timestamp::from_milliseconds(self.state().read(machine, elapsed))
    }

    fn wall_time(&self) -> Timestamp {
        let (machine, elapsed) = (machine_time().as_milliseconds(), self.elapsed());
        Timestamp::from_milliseconds(self.state().shown(machine, elapsed))
    }
}

impl ClockState {
    const fn new() -> Self {
        Self { database_started_at: None, furthest: i64::MIN, elapsed: 0 }
    }

    /// What the clock shows when the machine's shows `machine`.
    fn shown(&self, machine: i64, elapsed: i64) -> i64 {
        self.database_started_at.map_or(machine, |started_at| started_at.saturating_add(elapsed))
    }

    /// The present.
    fn read(&mut self, machine: i64, elapsed: i64) -> i64 {
        let (shown, come_to) = (self.shown(machine, elapsed), self.come_to(elapsed));
        let ahead_by = come_to.saturating_sub(shown);
        if ahead_by > AHEAD_AT_MOST_MS {
            tracing::warn!(
                "time was more than a day ahead of the clock, which is trusted again; credentials from the time ahead are invalid"
            );
        } else if ahead_by > 0 {
            return come_to;
        }
        (self.furthest, self.elapsed) = (shown, elapsed);
        shown
    }

    fn go_on_from(&mut self, moment: i64, machine: i64, elapsed: i64) {
        let ahead_by = moment.saturating_sub(self.shown(machine, elapsed));
        if ahead_by <= AHEAD_AT_MOST_MS && moment > self.come_to(elapsed) {
            (self.furthest, self.elapsed) = (moment, elapsed);
        }
    }

    /// The least that time has come to. A thread may have read what has elapsed before another one noted its moment.
    fn come_to(&self, elapsed: i64) -> i64 {
        self.furthest.saturating_add((elapsed - self.elapsed).max(0) / SLOWER)
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
    use super::ClockState;

    const HOUR: i64 = 3_600_000;

    fn state() -> ClockState {
        ClockState::new()
    }

    #[test]
    fn time_is_what_the_machine_shows() {
        let mut clock = state();

        assert_eq!(clock.read(1_000, 0), 1_000);
        assert_eq!(clock.read(1_500, 500), 1_500);
    }

    #[test]
    fn time_never_goes_back_when_the_clock_is_set_back() {
        let mut clock = state();
        assert_eq!(clock.read(5 * HOUR, 0), 5 * HOUR);

        assert_eq!(clock.read(4 * HOUR + 10, 10), 5 * HOUR + 5);
        assert_eq!(clock.read(4 * HOUR + 20, 20), 5 * HOUR + 10);
        assert_eq!(clock.read(4 * HOUR + 19, 19), 5 * HOUR + 9, "of a thread that was slow");
    }

    #[test]
    fn a_clock_that_was_ahead_is_caught_up_with_in_twice_the_time() {
        let mut clock = state();
        assert_eq!(clock.read(5 * HOUR, 0), 5 * HOUR);

        for minute in 1..=120 {
            let elapsed = minute * HOUR / 60;
            let expected = 5 * HOUR + elapsed / 2;
            assert_eq!(clock.read(4 * HOUR + elapsed, elapsed), expected, "{minute}");
        }
        assert_eq!(clock.read(6 * HOUR + 1, 2 * HOUR + 1), 6 * HOUR + 1);
        assert_eq!(clock.read(7 * HOUR, 3 * HOUR), 7 * HOUR);
    }

    #[test]
    fn time_that_is_asked_for_often_goes_on_too() {
        let mut clock = state();
        clock.go_on_from(5 * HOUR, 4 * HOUR, 0);

        let last = (0..=1_000).map(|elapsed| clock.read(4 * HOUR + elapsed, elapsed)).last();

        assert_eq!(last, Some(5 * HOUR + 500));
    }

    #[test]
    fn time_follows_a_clock_that_is_set_forward() {
        let mut clock = state();
        assert_eq!(clock.read(5 * HOUR, 0), 5 * HOUR);

        assert_eq!(clock.read(6 * HOUR, 10), 6 * HOUR);
        assert_eq!(clock.read(5 * HOUR + 20, 20), 6 * HOUR + 5);
    }

    #[test]
    fn a_clock_that_was_far_ahead_for_a_moment_is_believed_when_it_is_right_again() {
        const YEARS: i64 = 10 * 365 * 24 * HOUR;
        let mut clock = state();
        assert_eq!(clock.read(5 * HOUR, 0), 5 * HOUR);
        assert_eq!(clock.read(YEARS, 10), YEARS);

        assert_eq!(clock.read(5 * HOUR + 20, 20), 5 * HOUR + 20);
        assert_eq!(clock.read(4 * HOUR, 30), 5 * HOUR + 25, "and it does not go back from there");
        let mut clock = state();
        clock.go_on_from(YEARS, 5 * HOUR, 0);
        assert_eq!(clock.read(5 * HOUR, 0), 5 * HOUR);
    }

    #[test]
    fn time_goes_on_from_the_moment_an_earlier_process_saw() {
        let mut clock = state();
        clock.go_on_from(5 * HOUR, 4 * HOUR, 0);

        assert_eq!(clock.read(4 * HOUR, 0), 5 * HOUR);
        assert_eq!(clock.read(4 * HOUR + 30, 30), 5 * HOUR + 15);
        assert_eq!(clock.read(6 * HOUR, 2 * HOUR), 6 * HOUR);
    }

    #[test]
    fn a_process_with_a_wrong_clock_goes_by_that_of_the_database() {
        let mut clock = state();
        clock.database_started_at = Some(5 * HOUR);

        assert_eq!(clock.read(6 * HOUR, 10), 5 * HOUR + 10);
        assert_eq!(clock.read(3 * HOUR, 20), 5 * HOUR + 20, "nor is it moved when that is set");
        assert_eq!(clock.shown(3 * HOUR, 30), 5 * HOUR + 30);
    }

    #[test]
    fn where_the_database_was_ahead_time_goes_on_slower_and_the_outside_has_the_right_one() {
        let mut clock = state();
        clock.database_started_at = Some(5 * HOUR);
        assert_eq!(clock.read(5 * HOUR, 0), 5 * HOUR);

        clock.database_started_at = Some(4 * HOUR);

        assert_eq!(clock.read(5 * HOUR, 20), 5 * HOUR + 10);
        assert_eq!(clock.shown(5 * HOUR, 20), 4 * HOUR + 20);
    }

    #[test]
    fn time_goes_on_from_other_processes_unless_they_are_far_ahead() {
        let mut clock = state();
        assert_eq!(clock.read(5 * HOUR, 0), 5 * HOUR);

        clock.go_on_from(6 * HOUR, 5 * HOUR, 0);
        clock.go_on_from(4 * HOUR, 5 * HOUR, 0);
        clock.go_on_from(50 * HOUR, 5 * HOUR, 0);

        assert_eq!(clock.read(5 * HOUR + 10, 10), 6 * HOUR + 5);
    }
}
