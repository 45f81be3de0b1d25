//! Whether the clock may be believed with what cannot be undone.

use std::time::{Duration, Instant};

use crate::{Lifetime, Timestamp};

/// A clock that goes on by so much more than has passed was set forward. Synchronised clocks are moved by less.
const EVEN_WITHIN: Lifetime = Lifetime::from_seconds(30);

/// Since when a clock has gone on without being set forward. A machine may start with a clock that is far ahead, or be set ahead, and be told
/// the time a moment later. What is deleted for good, or done at a moment that only comes later, waits until the clock has been steady for a while.
#[derive(Debug, Default)]
pub struct Steadiness {
    last: Option<Look>,
}

#[derive(Debug, Clone, Copy)]
struct Look {
    shown: Timestamp,
    at: Instant,
    steady_since: Instant,
}

impl Steadiness {
    /// Looks at the clock, which shows this moment at that instant. Tells for how long it has been steady, which a first look does not know.
    pub fn look(&mut self, shown: Timestamp, at: Instant) -> Duration {
        let steady_since = match self.last {
            Some(last) if !last.is_set_forward(shown, at) => last.steady_since,
            Some(_) | None => at,
        };
        self.last = Some(Look { shown, at, steady_since });
        at.saturating_duration_since(steady_since)
    }
}

impl Look {
    fn is_set_forward(self, shown: Timestamp, at: Instant) -> bool {
        let passed = at.saturating_duration_since(self.at).as_secs();
        let passed = Lifetime::from_seconds(i64::try_from(passed).unwrap_or(i64::MAX));
        shown > self.shown + passed + EVEN_WITHIN
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Steadiness;
    use crate::Timestamp;

    /// For how long the clock is taken as steady, in seconds, at looks after so many seconds that show so many.
    fn steady(looks: &[(u64, i64)]) -> Vec<u64> {
        let (start, mut steadiness) = (Instant::now(), Steadiness::default());
        let looks = looks.iter().map(|&(passed, shown)| {
            let shown = Timestamp::from_milliseconds(shown * 1_000);
            steadiness.look(shown, start + Duration::from_secs(passed)).as_secs()
        });
        looks.collect()
    }

    #[test]
    fn a_clock_is_steady_from_the_first_look_on() {
        assert_eq!(steady(&[(0, 0), (2, 3), (3_602, 3_610)]), [0, 2, 3_602]);
    }

    #[test]
    fn a_clock_that_is_set_forward_is_not_steady_until_time_has_passed_again() {
        let weeks = 4_233_600;

        assert_eq!(steady(&[(0, 0), (9, 9), (10, weeks), (70, weeks + 60)]), [0, 9, 0, 60]);
    }

    #[test]
    fn a_clock_that_is_set_right_after_it_was_ahead_does_no_harm() {
        let weeks = 4_233_600;

        assert_eq!(steady(&[(0, weeks), (60, 60), (3_600, 3_600)]), [0, 60, 3_600]);
    }
}
