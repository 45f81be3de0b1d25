//! When a campaign starts and stops automatically: local times and their time zone.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::DateTime;
use serde::Serialize;

use crate::TimeZone;

/// When a campaign starts and stops automatically; it has at least one of the two times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Schedule {
    /// When it starts; if left out, a member starts it.
    pub start: Option<LocalMinute>,
    /// When it stops; if left out, a member stops it.
    pub stop: Option<LocalMinute>,
    /// The time zone of both times.
    pub time_zone: TimeZone,
}

impl Schedule {
    /// The moment of the start.
    #[must_use]
    pub fn start_at(&self) -> Option<Timestamp> {
        self.start.map(|minute| self.time_zone.moment_of(minute))
    }

    /// The moment of the stop.
    #[must_use]
    pub fn stop_at(&self) -> Option<Timestamp> {
        self.stop.map(|minute| self.time_zone.moment_of(minute))
    }
}

/// A minute as a wall clock shows it: `2026-12-01T09:00`, from the year 2000 to 2999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalMinute(DateTime);

/// A text that is not a local minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a local time is written as `2026-12-01T09:00`")]
pub struct UnreadableMinute;

impl LocalMinute {
    /// The date and time that the calendar and the clock show.
    pub(crate) fn date_time(self) -> DateTime {
        self.0
    }
}

impl fmt::Display for LocalMinute {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0.strftime("%Y-%m-%dT%H:%M"))
    }
}

impl FromStr for LocalMinute {
    type Err = UnreadableMinute;

    /// One spelling only: no seconds, no offset, no short numbers.
    fn from_str(text: &str) -> Result<Self, UnreadableMinute> {
        let has_form = text.len() == FORM.len()
            && text.bytes().zip(FORM.bytes()).all(|(given, form)| match form {
                b'0' => given.is_ascii_digit(),
                _ => given == form,
            });
        let minute = text.parse().ok().filter(|_| has_form).map(Self);
        minute.filter(|minute| (2000..3000).contains(&minute.0.year())).ok_or(UnreadableMinute)
    }
}

/// The form of a local minute, with `0` for any digit.
const FORM: &str = "0000-00-00T00:00";

impl Serialize for LocalMinute {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_has_one_spelling() {
        for text in ["2026-12-01T09:00", "2000-02-29T00:00", "2999-12-31T23:59"] {
            assert_eq!(text.parse::<LocalMinute>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "2026-12-01",
            "2026-12-01T9:00",
            "2026-12-01 09:00",
            "2026-12-01t09:00",
            "2026-12-01T09:00:00",
            "2026-12-01T09:00Z",
            "2026-12-01T24:00",
            "2026-12-01T09:60",
            "2026-13-01T09:00",
            "2025-02-29T09:00",
            "1999-12-31T23:59",
            "3000-01-01T00:00",
            "2026-1２-01T09:0",
        ] {
            assert_eq!(text.parse::<LocalMinute>(), Err(UnreadableMinute), "{text}");
        }
    }
}
