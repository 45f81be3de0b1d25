//! Moments and lifetimes. The present moment always comes in as a value.

use std::ops::{Add, Sub};

/// A moment: milliseconds since 1970 began, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// How long something is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lifetime {
    seconds: i64,
}

/// A browser follows its redirect and the client exchanges the code within seconds. RFC 6749 section 4.1.2 allows ten minutes
/// at most; less leaves a stolen code less time.
pub const AUTHORIZATION_CODE: Lifetime = Lifetime::from_seconds(60);

/// The documented `expires_in` of the token response.
pub const ACCESS_TOKEN: Lifetime = Lifetime::from_seconds(7_200);

/// A client that did not come back for half a year is not in use any more.
pub const REFRESH_IDLE: Lifetime = Lifetime::from_seconds(180 * DAY);

/// Once a year a member looks at the consent again.
pub const REFRESH_ABSOLUTE: Lifetime = Lifetime::from_seconds(365 * DAY);

/// A working day, so that a browser left alone overnight is signed out.
pub const SESSION_IDLE: Lifetime = Lifetime::from_seconds(12 * HOUR);

/// Once a month a member signs in again.
pub const SESSION_ABSOLUTE: Lifetime = Lifetime::from_seconds(30 * DAY);

/// How far time may run ahead of a machine's clock that was set back: more than any time zone that was set wrongly. A clock that was ahead by more
/// was wrong then.
pub const CLOCK_AHEAD: Lifetime = Lifetime::from_seconds(DAY);

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

impl Timestamp {
    /// The moment this many milliseconds after 1970-01-01 UTC.
    #[must_use]
    pub const fn from_milliseconds(milliseconds: i64) -> Self {
        Self(milliseconds)
    }

    /// Milliseconds since 1970 began.
    #[must_use]
    pub const fn as_milliseconds(self) -> i64 {
        self.0
    }

    /// The whole seconds that have passed since an earlier moment; none if that is later.
    #[must_use]
    pub fn since(self, earlier: Self) -> Lifetime {
        Lifetime::from_seconds(self.0.saturating_sub(earlier.0).max(0) / 1_000)
    }
}

impl Timestamp {
    /// Whether something that lives for `lifetime` and ends at this moment is valid at `now`: it has not ended, and it was not made by a clock
    /// that was far ahead.
    #[must_use]
    pub fn is_end_of_something_good(self, lifetime: Lifetime, now: Self) -> bool {
        self > now && self <= now.last_good_end(lifetime)
    }

    /// The last moment at which something may end that lives for `lifetime` and is valid at this moment.
    #[must_use]
    pub fn last_good_end(self, lifetime: Lifetime) -> Self {
        self + lifetime + CLOCK_AHEAD
    }
}

impl Lifetime {
    /// A lifetime of this many seconds.
    #[must_use]
    pub const fn from_seconds(seconds: i64) -> Self {
        Self { seconds }
    }

    /// The lifetime in whole seconds.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.seconds
    }

    /// The lifetime for people, in one unit and rounded up: `1 second`, `40 minutes`, `92 days`.
    #[must_use]
    pub fn words(self) -> String {
        let (count, unit) = match self.seconds {
            seconds if seconds < 2 * MINUTE => (seconds, "second"),
            seconds if seconds < 2 * HOUR => (rounded_up(seconds, MINUTE), "minute"),
            seconds if seconds < 2 * DAY => (rounded_up(seconds, HOUR), "hour"),
            seconds => (rounded_up(seconds, DAY), "day"),
        };
        format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
    }

    const fn milliseconds(self) -> i64 {
        self.seconds.saturating_mul(1_000)
    }
}

const fn rounded_up(seconds: i64, unit: i64) -> i64 {
    seconds / unit + (seconds % unit != 0) as i64
}

/// Moments beyond what can be counted are the last that can be.
impl Add<Lifetime> for Timestamp {
    type Output = Self;

    fn add(self, lifetime: Lifetime) -> Self {
        Self(self.0.saturating_add(lifetime.milliseconds()))
    }
}

/// Moments before what can be counted are the first that can be.
impl Sub<Lifetime> for Timestamp {
    type Output = Self;

    fn sub(self, lifetime: Lifetime) -> Self {
        Self(self.0.saturating_sub(lifetime.milliseconds()))
    }
}

#[cfg(test)]
mod tests {
    use super::{ACCESS_TOKEN, CLOCK_AHEAD, Lifetime, Timestamp};

    #[test]
    fn an_access_token_lives_for_two_hours() {
        let issued = Timestamp::from_milliseconds(1_000);

        assert_eq!(issued + ACCESS_TOKEN, Timestamp::from_milliseconds(7_201_000));
        assert_eq!(issued + ACCESS_TOKEN - ACCESS_TOKEN, issued);
    }

    #[test]
    fn an_expiry_from_a_clock_far_ahead_is_not_accepted() {
        let now = Timestamp::from_milliseconds(1_000);
        let is_good = |end: Timestamp| end.is_end_of_something_good(ACCESS_TOKEN, now);

        assert!(is_good(now + ACCESS_TOKEN) && is_good(now + ACCESS_TOKEN + CLOCK_AHEAD));
        assert!(!is_good(now));
        assert!(!is_good(now + ACCESS_TOKEN + CLOCK_AHEAD + Lifetime::from_seconds(1)));
    }

    #[test]
    fn a_time_is_told_in_the_unit_in_which_people_count_it() {
        let words = |seconds| Lifetime::from_seconds(seconds).words();

        assert_eq!([words(0), words(1), words(119)], ["0 seconds", "1 second", "119 seconds"]);
        assert_eq!(
            [words(120), words(2_341), words(7_199)],
            ["2 minutes", "40 minutes", "120 minutes"]
        );
        assert_eq!([words(7_200), words(172_799)], ["2 hours", "48 hours"]);
        assert_eq!([words(172_800), words(7_948_738)], ["2 days", "92 days"]);
    }

    #[test]
    fn the_end_of_time_is_not_passed() {
        let last = Timestamp::from_milliseconds(i64::MAX);

        assert_eq!(last + ACCESS_TOKEN, last);
    }

    /// In milliseconds this is a minute beyond what 64 bits count.
    #[test]
    fn a_lifetime_beyond_what_can_be_counted_lasts_to_the_end_of_time() {
        let endless = Lifetime::from_seconds(18_446_744_073_709_612);

        assert_eq!(
            Timestamp::from_milliseconds(1_000) + endless,
            Timestamp::from_milliseconds(i64::MAX)
        );
    }
}
