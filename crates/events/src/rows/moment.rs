//! Moments as exports write them.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::Millis;

/// A moment: ISO 8601 with its offset, the same without one or with the word UTC, which is UTC, or a number since 1970, of seconds, milli- or
/// microseconds by its length.
pub(super) fn moment(text: &str) -> Option<Millis> {
    if let Ok(number) = text.parse::<i64>() {
        return Some(Millis(match text.len() {
            0..=11 => number.checked_mul(1_000)?,
            12..=14 => number,
            _ => number / 1_000,
        }));
    }
    let plain = text.strip_suffix("UTC").map_or(text, str::trim_end);
    let timestamp = plain.parse::<Timestamp>().or_else(|_| {
        let local: DateTime = plain.parse()?;
        Ok::<_, jiff::Error>(local.to_zoned(TimeZone::UTC)?.timestamp())
    });
    timestamp.ok().map(|timestamp| Millis(timestamp.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::moment;
    use crate::Millis;

    #[test]
    fn a_moment_is_read_as_warehouses_write_it() {
        for text in [
            "2026-11-22T09:30:00Z",
            "2026-11-22T10:30:00+01:00",
            "2026-11-22 09:30:00 UTC",
            "2026-11-22 09:30:00.000000 UTC",
            "2026-11-22 09:30:00",
            "2026-11-22T09:30",
            "1795339800",
            "1795339800000",
            "1795339800000000",
        ] {
            assert_eq!(moment(text), Some(Millis(1_795_339_800_000)), "{text}");
        }
        for text in ["", "now", "2026-13-01T00:00:00Z", "22.11.2026", "1e9", "99999999999999999999"]
        {
            assert_eq!(moment(text), None, "{text}");
        }
    }
}
