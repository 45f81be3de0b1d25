//! When campaigns start and stop by themselves.

use insta::assert_snapshot;

use crate::documents::{faults, project, with_head};

fn campaign(schedule: &str) -> String {
    format!(
        "campaigns:
  - key: a
    type: ab_test
    experiments: [{{key: a, variations: [{{key: a, weight: 10000}}]}}]
    schedule: {schedule}
"
    )
}

#[test]
fn a_schedule_is_meant_in_its_time_zone() {
    let schedule =
        "{start: \"2026-12-01T09:00\", stop: \"2026-12-15T18:00\", time_zone: America/New_York}";
    let project = project(&with_head(&campaign(schedule)));

    let schedule = project.campaigns[0].schedule.as_ref().unwrap();
    assert_eq!(schedule.start_at().unwrap().to_string(), "2026-12-01T14:00:00Z");
    assert_eq!(schedule.stop_at().unwrap().to_string(), "2026-12-15T23:00:00Z");
}

#[test]
fn a_schedule_without_a_time_zone_is_meant_in_universal_time() {
    let project = project(&with_head(&campaign("{stop: 2026-12-15T18:00}")));

    let schedule = project.campaigns[0].schedule.as_ref().unwrap();
    assert_eq!(schedule.start_at(), None);
    assert_eq!(schedule.stop_at().unwrap().to_string(), "2026-12-15T18:00:00Z");
}

#[test]
fn a_schedule_has_a_time() {
    assert_snapshot!(faults(&campaign("{time_zone: UTC}")), @"demo.yaml:7:15: error: campaigns[0].schedule: a schedule needs a `start` or a `stop`");
    assert_snapshot!(faults(&campaign("2026-12-15T18:00")), @"demo.yaml:7:15: error: campaigns[0].schedule: this is a text, expected an object");
}

#[test]
fn a_time_is_written_to_the_minute() {
    assert_snapshot!(faults(&campaign("{start: 2026-12-01, stop: \"2026-12-15T18:00:00Z\"}")), @"
    demo.yaml:7:23: error: campaigns[0].schedule.start: `2026-12-01` is not a local time, expected a date and a time to the minute, such as `2026-12-01T09:00`
    demo.yaml:7:41: error: campaigns[0].schedule.stop: `2026-12-15T18:00:00Z` is not a local time, expected a date and a time to the minute, such as `2026-12-01T09:00`
    ");
}

#[test]
fn a_stop_is_after_the_start() {
    assert_snapshot!(faults(&campaign("{start: 2026-12-15T18:00, stop: 2026-12-15T18:00}")), @"demo.yaml:7:47: error: campaigns[0].schedule.stop: the `stop` is not after the `start`");
    // Clocks go from 2:00 to 3:00 that night, so that 2:45 is a quarter to four.
    assert_snapshot!(faults(&campaign("{start: 2027-03-28T02:45, stop: 2027-03-28T03:15, time_zone: Europe/Berlin}")), @"demo.yaml:7:47: error: campaigns[0].schedule.stop: the `stop` is not after the `start`");
}

#[test]
fn a_time_zone_has_a_name_of_the_iana_database() {
    assert_snapshot!(faults(&campaign("{stop: 2026-12-15T18:00, time_zone: Europe/berlin}")), @"
    demo.yaml:7:51: error: campaigns[0].schedule.time_zone: there is no time zone `Europe/berlin`, expected a name of the IANA database, such as `Europe/Berlin`
      hint: did you mean `Europe/Berlin`?
    ");
}
