//! The schedule of a campaign. A document may have one that is over; in the form, a moment that is past is a slip of the member who has
//! just typed it: it would take effect at once, or, after a day, never.

use domain::{Fault, LocalMinute, Pointer, TimeZone};
use oauth::Timestamp;
use serde_json::{Map, Value};

/// The moments of a schedule that were changed, and are past.
pub(super) fn refuses(
    was: &Map<String, Value>,
    wanted: &Map<String, Value>,
    now: Timestamp,
) -> Vec<Fault> {
    let written =
        |campaign: &Map<String, Value>, name| campaign.get("schedule").map(|one| one[name].clone());
    // What runs has started.
    let may_start = wanted.get("status").is_none_or(|status| status == "not_started");
    let moments = ["start", "stop"].into_iter().filter(|name| *name == "stop" || may_start);
    let past = moments.filter_map(|name| {
        let moment = moment(wanted, name)?;
        let is_new = written(was, name) != written(wanted, name);
        let pointer = Pointer::root().field("schedule").field(name);
        let fault = Fault::error("moment_past", pointer, "this moment is past");
        (is_new && moment <= now)
            .then(|| fault.hint("choose a later one, or leave the field empty"))
    });
    past.collect()
}

/// A moment of a campaign's schedule. What is no moment is told by the rules of documents.
fn moment(campaign: &Map<String, Value>, name: &str) -> Option<Timestamp> {
    let schedule = campaign.get("schedule")?;
    let minute: LocalMinute = schedule[name].as_str()?.parse().ok()?;
    let zone: TimeZone = schedule["time_zone"].as_str().unwrap_or("UTC").parse().ok()?;
    Some(Timestamp::from_milliseconds(zone.moment_of(minute).as_millisecond()))
}

#[cfg(test)]
mod tests {
    use oauth::Timestamp;
    use serde_json::{Map, Value, json};

    use super::refuses;

    fn campaign(schedule: &Value) -> Map<String, Value> {
        json!({ "schedule": schedule }).as_object().unwrap().clone()
    }

    #[test]
    fn a_moment_that_is_past_is_refused_unless_it_was_there() {
        let now = Timestamp::from_milliseconds(1_796_083_200_000); // 2026-12-01T00:00Z
        let refused = |was: &Value, wanted: &Value| {
            let faults = refuses(&campaign(was), &campaign(wanted), now);
            faults.iter().map(|fault| fault.pointer.as_str().to_owned()).collect::<Vec<_>>()
        };
        let of = |start: &str, stop: &str, zone: &str| json!({"start": start, "stop": stop, "time_zone": zone});
        let (past, later) = ("2026-11-30T23:59", "2026-12-01T00:01");
        let nothing: [String; 0] = [];

        assert_eq!(refused(&json!(null), &of(past, later, "UTC")), ["/schedule/start"]);
        assert_eq!(refused(&json!(null), &of(later, later, "UTC")), nothing);
        assert_eq!(
            refused(&json!(null), &of(later, later, "Europe/Berlin")),
            ["/schedule/start", "/schedule/stop"]
        );
        assert_eq!(refused(&of(past, later, "UTC"), &of(past, "2026-12-02T00:00", "UTC")), nothing);
        let (utc, berlin) = (of(past, later, "UTC"), of(past, "2026-12-02T00:00", "Europe/Berlin"));
        assert_eq!(refused(&utc, &berlin), nothing, "the minute is as it was");
        assert_eq!(refused(&json!(null), &of("soon", later, "UTC")), nothing, "told as no moment");
        assert_eq!(refused(&json!(null), &json!(null)), nothing);
    }
}
