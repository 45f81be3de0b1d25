//! What was known at the end of each day.

use app::results::results_csv;

use super::{HALVES, event, exposure, measured, results, shop};
use events::{EventRow, ExposureRow};

const THIRDS: &str =
    "[{key: original, weight: 3334}, {key: short, weight: 3333}, {key: long, weight: 3333}]";
const DAY: i64 = 24;

/// Visitors of three variations: the second one is better, and the third one so much that it shows before.
fn three(visitors: u32) -> (Vec<ExposureRow>, Vec<EventRow>) {
    let name = |visitor: u32| ["original", "short", "long"][(visitor % 3) as usize];
    let exposures = (0..visitors).map(|one| exposure(one, i64::from(one) / 20, name(one)));
    let signs_up = |one: &u32| (*one / 3).is_multiple_of([12, 8, 5][(*one % 3) as usize]);
    let events = (0..visitors).filter(signs_up);
    let events = events.map(|one| event(one, i64::from(one) / 20, "signup", None));
    (exposures.collect(), events.collect())
}

#[test]
fn visitors_are_counted_on_the_day_they_came() {
    let (exposures, events) = measured(1_000, [10, 8]);

    let found = results(&shop(HALVES), &exposures, &events);

    let days: Vec<_> =
        found.days.iter().map(|one| (one.day.as_str(), one.visitors.as_slice())).collect();
    let whole = &[240, 240][..];
    let known = [("1970-01-01", whole), ("1970-01-02", whole), ("1970-01-03", &[20, 20])];
    assert_eq!(days, known);
}

#[test]
fn the_last_day_of_the_series_is_what_is_known_today() {
    let (exposures, events) = three(6_000);

    let found = results(&shop(THIRDS), &exposures, &events);

    for metric in &found.metrics {
        for arm in metric.variations.iter().skip(1) {
            let comparison = arm.comparison.as_ref().unwrap();
            let last = comparison.series.last().unwrap();
            assert_eq!((last.lift, last.reason), (comparison.lift, comparison.reason));
            assert_eq!(last.visitors, [metric.variations[0].visitors, arm.visitors]);
            assert_eq!(last.day, found.last_day);
        }
    }
}

#[test]
fn days_that_follow_do_not_change_what_was_known() {
    let (exposures, events) = three(12_000);
    let whole = results(&shop(THIRDS), &exposures, &events);
    let decided_on = |place: usize| {
        let comparison = whole.metrics[0].variations[place].comparison.as_ref().unwrap();
        comparison.decided_on.clone().unwrap()
    };
    assert!(decided_on(1) > decided_on(2), "the share of the level differs by the day");

    for days in 1..20 {
        let is_past = |at: events::Millis| at.0 < days * DAY * super::HOUR;
        let seen: Vec<_> = exposures.iter().filter(|row| is_past(row.at)).cloned().collect();
        let done: Vec<_> = events.iter().filter(|row| is_past(row.at)).cloned().collect();
        let then = results(&shop(THIRDS), &seen, &done);

        for place in [1, 2] {
            let series = |found: &app::results::Results| {
                let arm = &found.metrics[0].variations[place];
                arm.comparison.as_ref().unwrap().series.clone()
            };
            let (then, whole) = (series(&then), series(&whole));
            assert_eq!(then, whole[..then.len()], "{days} days, variation {place}");
        }
    }
}

#[test]
fn the_verdict_names_the_variation_it_is_about() {
    let (exposures, events) = three(12_000);
    let (same, alike) = measured(2_000, [10, 10]);

    let found = results(&shop(THIRDS), &exposures, &events);
    let early = results(&shop(HALVES), &same, &alike);

    assert_eq!(found.verdict.variation.as_ref(), Some(&found.variations[2].id));
    assert_eq!(early.verdict.variation, None);
}

#[test]
fn a_spreadsheet_reads_figures_and_computes_no_name() {
    let names = "[{key: original, name: '=1+1', weight: 50%}, {key: short, name: 'Short, \"new\"', weight: 50%}]";
    let (mut exposures, events) = measured(2_000, [10, 8]);
    for row in &mut exposures {
        row.variation = if row.variation == "original" { "original" } else { "short" }.to_owned();
    }

    let table = results_csv(&[results(&shop(names), &exposures, &events)]);

    let lines: Vec<_> = table.split_terminator("\r\n").collect();
    assert!(lines[0].starts_with("campaign,experiment,first_day,last_day,event,kind,"), "{table}");
    let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let original = cells(lines[1]);
    assert_eq!(&original[4..7], ["signup", "conversion", "true"]);
    assert_eq!(&original[8..13], ["'=1+1", "1000", "100", "0.1", ""]);
    assert!(lines[2].contains(",\"Short, \"\"new\"\"\",1000,125,0.125,0.2499"), "{table}");
    assert!(lines[2].contains("inconclusive"), "{table}");
}
