//! Moments of events, and the days of an experiment.

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Millis(pub i64);

/// A day in UTC, counted from 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(pub i32);

const MILLIS_OF_DAY: i64 = 86_400_000;

const MILLIS_OF_HOUR: i64 = 3_600_000;

impl Millis {
    /// The moment so many hours later; the last moment there is, if that is beyond it.
    #[must_use]
    pub const fn after_hours(self, hours: u32) -> Self {
        Self(self.0.saturating_add(MILLIS_OF_HOUR.saturating_mul(hours as i64)))
    }

    /// The moment so many days earlier; the first moment there is, if that is before it.
    #[must_use]
    pub const fn before_days(self, days: u32) -> Self {
        Self(self.0.saturating_sub(MILLIS_OF_DAY.saturating_mul(days as i64)))
    }

    /// The day of this moment. Moments of some five million years from 1970 on share the last one.
    #[must_use]
    pub fn day(self) -> Day {
        let days = self.0.div_euclid(MILLIS_OF_DAY);
        Day(i32::try_from(days).unwrap_or(if days < 0 { i32::MIN } else { i32::MAX }))
    }
}

impl Day {
    /// The day of the calendar; the first or the last that it has for one beyond these.
    #[must_use]
    pub fn date(self) -> Date {
        let since = i64::from(self.0).clamp(-700_000, 2_900_000).days();
        Date::constant(1970, 1, 1).saturating_add(since)
    }
}

impl From<Date> for Day {
    fn from(date: Date) -> Self {
        let days = Date::constant(1970, 1, 1).until(date).map_or(0, |span| span.get_days());
        Self(days)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::Date;

    use super::{Day, Millis};

    #[test]
    fn days_of_the_calendar_are_counted_from_1970() {
        assert_eq!(Day::from(Date::constant(1970, 1, 1)), Day(0));
        assert_eq!(Day::from(Date::constant(2026, 11, 28)), Millis(1_795_824_000_000).day());
    }

    #[test]
    fn days_begin_at_midnight_in_utc() {
        let day = |millis| Millis(millis).day();

        assert_eq!((day(0), day(86_399_999), day(86_400_000)), (Day(0), Day(0), Day(1)));
        assert_eq!((day(-1), day(-86_400_000), day(-86_400_001)), (Day(-1), Day(-1), Day(-2)));
        assert_eq!(Millis(5).after_hours(48), Millis(172_800_005));
        assert_eq!(Millis(5).before_days(1), Millis(-86_399_995));
        assert_eq!((day(i64::MAX), day(i64::MIN)), (Day(i32::MAX), Day(i32::MIN)));
    }
}
