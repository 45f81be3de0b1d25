//! The time on a visitor's clock.

use domain::WEEKDAYS;
use serde::Deserialize;

/// A weekday and a minute, read from `2026-11-21T09:30`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct LocalTime {
    weekday: usize,
    minute: u16,
}

/// A text that is no local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a local time is written `2026-11-21T09:30`")]
pub struct UnreadableTime;

impl LocalTime {
    /// The weekday, in lower case.
    pub(crate) fn weekday(self) -> &'static str {
        WEEKDAYS[self.weekday]
    }

    /// Minutes since midnight.
    pub(crate) fn minute(self) -> u16 {
        self.minute
    }
}

impl TryFrom<String> for LocalTime {
    type Error = UnreadableTime;

    fn try_from(text: String) -> Result<Self, UnreadableTime> {
        read(&text).ok_or(UnreadableTime)
    }
}

/// Seconds may follow; they do not matter.
fn read(text: &str) -> Option<LocalTime> {
    let (date, time) = text.split_once('T')?;
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let (time, seconds) = time.split_at_checked(5)?;
    let [hour, minute] = numbers(time, ':', [2, 2])?;
    let is_second = |rest: &str| number(rest, 2).is_some_and(|second| second < 60);
    let ends_well = seconds.is_empty() || seconds.strip_prefix(':').is_some_and(is_second);
    let exists = (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
    let weekday = weekday(year, month, day);
    (exists && hour < 24 && minute < 60 && ends_well)
        .then_some(LocalTime { weekday, minute: hour * 60 + minute })
}

fn numbers<const COUNT: usize>(
    text: &str,
    mark: char,
    widths: [usize; COUNT],
) -> Option<[u16; COUNT]> {
    let mut parts = text.split(mark);
    let mut numbers = [0; COUNT];
    for (number, width) in numbers.iter_mut().zip(widths) {
        *number = self::number(parts.next()?, width)?;
    }
    parts.next().is_none().then_some(numbers)
}

/// So many digits. A sign is none.
fn number(text: &str, digits: usize) -> Option<u16> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

fn days_in(year: u16, month: u16) -> u16 {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        2 => 28 + u16::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Sakamoto's method, for the Gregorian calendar; Sunday is 0.
fn weekday(year: u16, month: u16, day: u16) -> usize {
    const SHIFTS: [usize; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let shift = SHIFTS.get(usize::from(month).wrapping_sub(1)).copied().unwrap_or_default();
    let year = usize::from(year).saturating_sub(usize::from(month < 3));
    (year + year / 4 - year / 100 + year / 400 + shift + usize::from(day)) % 7
}

#[cfg(test)]
mod tests {
    use super::{LocalTime, read};

    #[test]
    fn a_date_has_its_weekday() {
        let day = |text: &str| read(text).map(LocalTime::weekday);

        assert_eq!(day("2026-11-21T09:30"), Some("saturday"));
        assert_eq!(day("2000-02-29T00:00"), Some("tuesday"));
        assert_eq!(day("2024-03-01T23:59:59"), Some("friday"));
    }

    #[test]
    fn a_text_that_no_clock_shows_is_no_time() {
        for text in [
            "",
            "2026-11-21",
            "2026-02-29T00:00",
            "2026-13-01T00:00",
            "2026-11-21T24:00",
            "2026-11-21T9:30",
            "2026-11-21T09:30:61",
            "2026-+1-21T09:30",
            "2026-11-21T+9:30",
            "2026-11-21T09:30:+5",
            "2026-11-21 09:30",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
