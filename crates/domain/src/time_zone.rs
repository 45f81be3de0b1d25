//! Time zones of the IANA database as of this program's build, so that every server reads the same times.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::tz::{TimeZoneDatabase, TimeZoneNameIter};
use serde::Serialize;

use crate::LocalMinute;

/// The program bundles the database and reads none from the machine.
static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// A time zone, such as `Europe/Berlin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeZone(jiff::tz::TimeZone);

/// A text that names no time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a time zone is named as in the IANA database: `Europe/Berlin`")]
pub struct UnknownTimeZone;

impl TimeZone {
    /// Coordinated Universal Time.
    pub const UTC: Self = Self(jiff::tz::TimeZone::UTC);

    /// The zone's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// The moment at which clocks in the zone show this minute. A minute that clocks skip moves later by the length of the gap; of a minute
    /// that comes twice, the first counts (RFC 5545, 3.3.5).
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the years of a local minute are limited")]
    pub fn moment_of(&self, minute: LocalMinute) -> Timestamp {
        let moment = self.0.to_ambiguous_timestamp(minute.date_time()).compatible();
        moment.expect("the years of a local minute are far from the ends of time")
    }

    /// Every name in the database.
    pub(crate) fn names() -> impl Iterator<Item = String> {
        let names: TimeZoneNameIter<'static> = ZONES.available();
        names.map(|name| name.to_string())
    }
}

impl FromStr for TimeZone {
    type Err = UnknownTimeZone;

    /// One spelling only: capitals count.
    fn from_str(name: &str) -> Result<Self, UnknownTimeZone> {
        if name == "UTC" {
            return Ok(Self::UTC);
        }
        let zone = ZONES.get(name).ok();
        let zone = zone.filter(|zone| zone.iana_name() == Some(name) && !zone.is_unknown());
        zone.map(Self).ok_or(UnknownTimeZone)
    }
}

impl fmt::Display for TimeZone {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Serialize for TimeZone {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(minute: &str, zone: &str) -> String {
        let zone: TimeZone = zone.parse().unwrap();
        zone.moment_of(minute.parse().unwrap()).to_string()
    }

    #[test]
    fn a_minute_is_the_one_that_clocks_there_show() {
        assert_eq!(moment("2026-12-01T09:00", "UTC"), "2026-12-01T09:00:00Z");
        assert_eq!(moment("2026-12-01T09:00", "Europe/Berlin"), "2026-12-01T08:00:00Z");
        assert_eq!(moment("2026-07-01T09:00", "Europe/Berlin"), "2026-07-01T07:00:00Z");
        assert_eq!(moment("2026-07-01T09:00", "Asia/Kathmandu"), "2026-07-01T03:15:00Z");
    }

    #[test]
    fn a_skipped_minute_is_later_and_a_repeated_one_is_its_first_time() {
        assert_eq!(moment("2026-03-29T02:30", "Europe/Berlin"), "2026-03-29T01:30:00Z");
        assert_eq!(moment("2026-10-25T02:30", "Europe/Berlin"), "2026-10-25T00:30:00Z");
        // Samoa skipped this whole day.
        assert_eq!(moment("2011-12-30T12:00", "Pacific/Apia"), "2011-12-30T22:00:00Z");
    }

    #[test]
    fn every_zone_reads_as_it_is_named() {
        let names: Vec<String> = TimeZone::names().collect();

        assert!(names.len() > 400);
        for name in names {
            assert_eq!(name.parse::<TimeZone>().unwrap().name(), name);
        }
    }

    #[test]
    fn the_years_of_a_minute_are_far_from_the_ends_of_time_everywhere() {
        for zone in TimeZone::names() {
            moment("2000-01-01T00:00", &zone);
            moment("2999-12-31T23:59", &zone);
        }
    }

    #[test]
    fn a_zone_has_one_spelling() {
        for name in [
            "",
            "utc",
            "europe/berlin",
            "Europe/Bonn",
            "+01:00",
            "CET-1CEST",
            "../UTC",
            "Etc/Unknown",
            "Local",
        ] {
            assert_eq!(name.parse::<TimeZone>(), Err(UnknownTimeZone), "{name}");
        }
    }
}
