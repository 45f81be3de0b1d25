//! Moments as exports write them.

use std::ops::Range;

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use crate::Millis;

/// Years in which a visitor can have been on a page. `0001-01-01` and `9999-12-31` are what databases and programs write for no date, and one such
/// row would stretch the days of the results over all of these years.
pub(super) const YEARS: Range<i16> = 1990..2100;

/// The first moment of these years, and the first after them.
const MOMENTS: Range<i64> = 631_152_000_000..4_102_444_800_000;

/// Whether a visitor can have been on a page then.
pub(super) fn is_of_our_time(moment: Millis) -> bool {
    MOMENTS.contains(&moment.0)
}

/// A moment: ISO 8601 with its offset, the same without one or with the word UTC, which is UTC, digits of a date and perhaps its time down to
/// the hour, minute or second (`2026112209`), or a number since 1970, of seconds, milli-, micro- or nanoseconds by its length. Seconds may have
/// a fraction.
pub(super) fn moment(text: &str) -> Option<Millis> {
    if let Some(compact) = compact(text) {
        return Some(compact);
    }
    if text.len() == "20261122".len() {
        let date = Date::strptime("%Y%m%d", text).ok()?;
        return Some(Millis(date.to_zoned(TimeZone::UTC).ok()?.timestamp().as_millisecond()));
    }
    if let Ok(number) = text.parse::<i64>() {
        return Some(Millis(match text.len() {
            9..=11 => number.checked_mul(1_000)?,
            // Nothing was measured in 1970; it is a week, a number of days or a place in a list.
            0..=8 => return None,
            12..=14 => number,
            15..=17 => number / 1_000,
            _ => number / 1_000_000,
        }));
    }
    if let Some(moment) = fraction(text) {
        return Some(moment);
    }
    // Databases and scripts write a space before an offset.
    let joined = text.replace(" +", "+").replace(" -", "-").replace(" Z", "Z");
    let text = joined.as_str();
    let plain = text.strip_suffix("UTC").map_or(text, str::trim_end);
    // Without its zone it would be another moment.
    if plain.contains('[') {
        let zoned: Option<Zoned> = plain.parse().ok();
        return zoned.map(|zoned| Millis(zoned.timestamp().as_millisecond()));
    }
    let timestamp = plain.parse::<Timestamp>().or_else(|_| {
        let local: DateTime = plain.parse()?;
        Ok::<_, jiff::Error>(local.to_zoned(TimeZone::UTC)?.timestamp())
    });
    timestamp.ok().map(|timestamp| Millis(timestamp.as_millisecond()))
}

/// A date with its hour, minute or second, as analytics tools and databases write it. As a number since 1970 it would be after May 2033, in 1976
/// or after 2600.
fn compact(text: &str) -> Option<Millis> {
    let is_digits = text.bytes().all(|digit| digit.is_ascii_digit());
    let padded = match text.len() {
        10 if is_digits && text.starts_with("20") => format!("{text}0000"),
        12 if is_digits => format!("{text}00"),
        14 if is_digits => text.to_owned(),
        _ => return None,
    };
    let local = DateTime::strptime("%Y%m%d%H%M%S", padded).ok()?;
    let moment = local.to_zoned(TimeZone::UTC).ok().filter(|_| YEARS.contains(&local.year()))?;
    Some(Millis(moment.timestamp().as_millisecond()))
}

/// Seconds with a fraction, as scripts tell the time. What is less than a millisecond does not count.
fn fraction(text: &str) -> Option<Millis> {
    let (seconds, rest) = text.split_once('.')?;
    let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    if !(9..=11).contains(&seconds.len()) || !is_number(seconds) || !is_number(rest) {
        return None;
    }
    let thousandths: String = rest.chars().chain("000".chars()).take(3).collect();
    let whole = seconds.parse::<i64>().ok()?.checked_mul(1_000)?;
    Some(Millis(whole + thousandths.parse::<i64>().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{is_of_our_time, moment};
    use crate::Millis;

    #[test]
    fn what_is_written_for_no_date_is_not_of_our_time() {
        for text in [
            "0001-01-01",
            "0001-01-01T00:00:00Z",
            "-62135596800000",
            "1899-12-30 00:00:00",
            "1970-01-01T00:00:00Z",
            "1989-12-31T23:59:59.999Z",
            "2100-01-01",
            "9999-12-30 00:00:00",
            "253402214400",
        ] {
            assert_eq!(moment(text).map(is_of_our_time), Some(false), "{text}");
        }
        for text in ["1990-01-01", "2099-12-31T23:59:59.999Z", "1795339800"] {
            assert_eq!(moment(text).map(is_of_our_time), Some(true), "{text}");
        }
    }

    #[test]
    fn a_moment_is_read_as_warehouses_write_it() {
        for text in [
            "2026-11-22T09:30:00Z",
            "2026-11-22T10:30:00+01:00",
            "2026-11-22 09:30:00 UTC",
            "2026-11-22 09:30:00.000000 UTC",
            "2026-11-22 09:30:00.000 Z",
            "2026-11-22 09:30:00",
            "2026-11-22T09:30",
            "1795339800",
            "1795339800000",
            "1795339800000000",
            "1795339800000000000",
            "1795339800.0",
            "1795339800.000999",
            "2026-11-22T10:30:00+0100",
            "2026-11-22 10:30:00+01",
            "2026-11-22 10:30:00 +01:00",
            "2026-11-22 04:30:00 -0500",
            "2026-11-22T10:30:00[Europe/Berlin]",
            "2026-11-22T10:30:00+01:00[Europe/Berlin]",
        ] {
            assert_eq!(moment(text), Some(Millis(1_795_339_800_000)), "{text}");
        }
        assert_eq!(moment("20261122"), moment("2026-11-22T00:00:00Z"));
        assert_eq!(moment("2026112209"), moment("2026-11-22T09:00:00Z"));
        assert_eq!(moment("202611220930"), moment("2026-11-22T09:30:00Z"));
        assert_eq!(moment("20261122093000"), moment("2026-11-22T09:30:00Z"));
        assert_eq!(moment("202611220000"), moment("20261122"));
        assert_eq!(moment("1999999999"), Some(Millis(1_999_999_999_000)), "seconds");
        for text in [
            "",
            "now",
            "2026-13-01T00:00:00Z",
            "22.11.2026",
            "1e9",
            "1795339800.1e3",
            "1.5",
            "20261322",
            "2026-112",
            "1795339",
            "45983",
            "0",
            "99999999999999999999",
            "2026-11-22T10:30:00[Nowhere]",
        ] {
            assert_eq!(moment(text), None, "{text}");
        }
    }
}
