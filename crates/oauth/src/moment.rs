//! Moments as people and machines read them, in UTC.

use crate::Timestamp;

const MILLISECONDS_A_DAY: i64 = 86_400_000;
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A moment to the second, in the Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    year: i64,
    /// From 0.
    month: usize,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
}

impl Moment {
    /// `21 November 2025, 02:14 UTC`
    #[must_use]
    pub fn words(self) -> String {
        let Self { year, month, day, hour, minute, second: _ } = self;
        format!("{day} {} {year}, {hour:02}:{minute:02} UTC", MONTHS[month])
    }

    /// `2025-11-21T02:14:59Z` (RFC 3339)
    #[must_use]
    pub fn machine(self) -> String {
        let Self { year, month, day, hour, minute, second } = self;
        format!("{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z", month + 1)
    }
}

impl From<Timestamp> for Moment {
    fn from(timestamp: Timestamp) -> Self {
        let milliseconds = timestamp.as_milliseconds();
        let seconds = milliseconds.rem_euclid(MILLISECONDS_A_DAY) / 1_000;
        let (mut days, mut year) = (milliseconds.div_euclid(MILLISECONDS_A_DAY), 1970);
        while days >= days_of_year(year) {
            days -= days_of_year(year);
            year += 1;
        }
        let mut month = 0;
        while days >= days_of_month(year, month) {
            days -= days_of_month(year, month);
            month += 1;
        }
        let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        Self { year, month, day: days + 1, hour, minute, second }
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of_year(year: i64) -> i64 {
    if is_leap(year) { 366 } else { 365 }
}

fn days_of_month(year: i64, month: usize) -> i64 {
    match month {
        1 if is_leap(year) => 29,
        1 => 28,
        3 | 5 | 8 | 10 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::Moment;
    use crate::Timestamp;

    fn machine(milliseconds: i64) -> String {
        Moment::from(Timestamp::from_milliseconds(milliseconds)).machine()
    }

    #[test]
    fn moments_are_told_in_utc() {
        let moment = Moment::from(Timestamp::from_milliseconds(1_763_691_299_999));

        assert_eq!(moment.words(), "21 November 2025, 02:14 UTC");
        assert_eq!(moment.machine(), "2025-11-21T02:14:59Z");
    }

    #[test]
    fn leap_days_and_ends_of_years_are_right() {
        assert_eq!(machine(0), "1970-01-01T00:00:00Z");
        assert_eq!(machine(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(machine(1_709_251_140_000), "2024-02-29T23:59:00Z");
        assert_eq!(machine(1_735_689_599_999), "2024-12-31T23:59:59Z");
        assert_eq!(machine(4_107_542_400_000), "2100-03-01T00:00:00Z");
    }
}
