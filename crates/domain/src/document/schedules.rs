//! Decodes the schedules of campaigns.

use super::fields::Fields;
use super::reader::{At, Decoded, Reader};
use super::scalars::text;
use crate::{LocalMinute, Schedule, TimeZone};

/// Decodes a schedule: `{start: "2026-12-01T09:00", stop: "2026-12-15T18:00", time_zone: Europe/Berlin}`.
pub(super) fn schedule(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Schedule> {
    let mut fields = Fields::of(reader, at)?;
    let start = fields.optional("start", minute);
    let stop = fields.optional("stop", minute);
    let time_zone = fields.or("time_zone", TimeZone::UTC, time_zone);
    fields.finish();
    let schedule = Schedule { start: start?, stop: stop?, time_zone: time_zone? };
    match (schedule.start_at(), schedule.stop_at()) {
        (None, None) => {
            reader.refuse(at, at.error("missing_field", "a schedule needs a `start` or a `stop`"))
        }
        (Some(start), Some(stop)) if start >= stop => {
            let at = at.field_or_self("stop");
            reader.refuse(&at, at.error("bad_range", "the `stop` is not after the `start`"))
        }
        _ => Ok(schedule),
    }
}

fn minute(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<LocalMinute> {
    let given = text(reader, at)?;
    if let Ok(minute) = given.parse() {
        return Ok(minute);
    }
    let fault = at.error("bad_time", format!("`{given}` is not a local time"));
    reader.refuse(at, fault.expected("a date and a time to the minute, such as `2026-12-01T09:00`"))
}

fn time_zone(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<TimeZone> {
    let given = text(reader, at)?;
    if let Ok(zone) = given.parse() {
        return Ok(zone);
    }
    let fault = at
        .error("unknown_time_zone", format!("there is no time zone `{given}`"))
        .expected("a name of the IANA database, such as `Europe/Berlin`");
    let names: Vec<String> = TimeZone::names().collect();
    let fault = reader.did_you_mean(fault, given, names.iter().map(String::as_str));
    reader.refuse(at, fault)
}
