//! Schedules: when a campaign starts and stops by itself.

use serde_json::{Map, Value, json};

use crate::export_location::At;
use crate::importer::Importer;

impl<'e> Importer<'e> {
    /// The schedule of an experience, which has none in Assay. One without times is none.
    pub(crate) fn own_schedule(&mut self, experience: &At<'e>, flaws: &mut Vec<String>) {
        let Some(at) = experience.field("schedule") else { return };
        let has = |time: &str| at.field(time).is_some();
        if at.value.is_object() && !has("start_time") && !has("stop_time") {
            self.ledger.settle(&at);
            self.ledger.settle_any(at.field("time_zone").as_ref());
            return;
        }
        let message = "Assay's experiences have no schedule of their own";
        self.ledger.left_out(&at, message, "give the campaign one");
        flaws.push("the schedule of an experience is left out".to_owned());
    }

    /// The schedule of an experiment. A campaign that may not run has none: it would start by
    /// itself.
    pub(crate) fn schedule(&mut self, experiment: &At<'e>, flaws: &[String]) -> Option<Value> {
        let at = experiment.field("schedule").filter(|at| at.value.is_object())?;
        if !flaws.is_empty() {
            let message = "the campaign cannot run as it is, and must not start by itself";
            self.ledger.left_out(&at, message, "set it again once the campaign is mended");
            return None;
        }
        let mut schedule = Map::new();
        let mut is_universal = false;
        for (there, here) in [("start_time", "start"), ("stop_time", "stop")] {
            let Some(text) = self.text(&at, there) else { continue };
            let Some((minute, is_utc)) = minute(&text) else {
                let message = format!("`{there}` is not a time such as `2026-12-01T09:00`");
                self.ledger.left_out(&at, message, "set the schedule by hand");
                return None;
            };
            is_universal |= is_utc;
            schedule.insert(here.to_owned(), json!(minute));
        }
        let zone_at = at.field("time_zone");
        let zone = self.text(&at, "time_zone").unwrap_or_else(|| "UTC".to_owned());
        if is_universal && zone != "UTC" {
            let message = "the times are in UTC (`Z`), and so is the time zone in Assay";
            self.ledger.changed(zone_at.as_ref().unwrap_or(&at), message, "");
        }
        let zone = if is_universal { "UTC".to_owned() } else { zone };
        if schedule.is_empty() {
            return None;
        }
        schedule.insert("time_zone".to_owned(), json!(zone));
        Some(Value::Object(schedule))
    }
}

/// The date, hour and minute of a time, and whether it is a universal one.
fn minute(text: &str) -> Option<(String, bool)> {
    let (time, is_universal) = match text.strip_suffix('Z') {
        Some(time) => (time, true),
        None => (text, false),
    };
    let (date, time) = time.split_once(['T', ' '])?;
    let (minute, seconds) = (time.get(..5)?, time.get(5..)?);
    let has_no_seconds = seconds.bytes().all(|byte| b":.0".contains(&byte));
    let is_minute = minute.bytes().enumerate().all(|(place, byte)| match place {
        2 => byte == b':',
        _ => byte.is_ascii_digit(),
    });
    (has_no_seconds && is_minute).then(|| (format!("{date}T{minute}"), is_universal))
}

#[cfg(test)]
mod tests {
    use super::minute;

    #[test]
    fn a_time_is_read_to_the_minute() {
        let local = Some(("2026-12-01T09:00".to_owned(), false));
        assert_eq!(minute("2026-12-01T09:00"), local);
        assert_eq!(minute("2026-12-01 09:00:00"), local);
        let universal = Some(("2026-12-01T09:00".to_owned(), true));
        assert_eq!(minute("2026-12-01T09:00:00.000Z"), universal);
        for text in
            ["", "2026-12-01", "2026-12-01T9:00", "2026-12-01T09:00:30", "2026-12-01T09:00+01:00"]
        {
            assert_eq!(minute(text), None, "{text}");
        }
    }
}
