//! Plans: when it is time to decide.

use app::results::{
    ComparisonVerdict, Dataset, IntervalMethod, Results, SegmentBy, VerdictCode, find_results,
};
use domain::{NoFiles, Project, Source, parse};
use events::{EventRow, ExposureRow};
use oauth::Timestamp;
use stats::NoFigure;

use super::{event, exposure, measured};

/// 2026-01-01.
const START: i64 = 1_767_225_600_000;

/// Visitors of whom one in so many signs up, by a plan; they come twenty an hour from 2026-01-01 on.
pub(super) fn planned(plan: &str, measured: (Vec<ExposureRow>, Vec<EventRow>)) -> Results {
    planned_and_split(plan, measured, None)
}

/// The same with the figures of segments.
pub(super) fn planned_and_split(
    plan: &str,
    measured: (Vec<ExposureRow>, Vec<EventRow>),
    split: Option<SegmentBy>,
) -> Results {
    let (exposures, events) = since_start(measured);
    let measured = Dataset::of_rows(&exposures, &events).split(split);
    find_results(&project_with(plan), "hero", &measured).unwrap().remove(0)
}

fn since_start(
    (mut exposures, mut events): (Vec<ExposureRow>, Vec<EventRow>),
) -> (Vec<ExposureRow>, Vec<EventRow>) {
    let shown = exposures.iter_mut().map(|row| &mut row.at);
    for at in shown.chain(events.iter_mut().map(|row| &mut row.at)) {
        at.0 += START;
    }
    (exposures, events)
}

/// The project with a campaign of this plan.
fn project_with(plan: &str) -> Project {
    let text = format!(
        "version: 1
project: {{key: shop}}
pages: [{{key: home}}]
events: [{{key: signup}}]
metrics: [{{key: signups, type: conversion, event: signup}}]
campaigns:
  - {{key: hero, type: ab_test, pages: [home], plan: {plan}, experiments: [{{key: hero, variations: [{{key: original, weight: 50%}}, {{key: short, name: Short text, weight: 50%}}]}}]}}
"
    );
    parse(&Source { name: "shop.yaml", text: &text, files: &NoFiles }).unwrap().project
}

fn width(found: &Results) -> f64 {
    let comparison = found.metrics[0].variations[1].comparison.as_ref().unwrap();
    let [_, lower, upper] = comparison.difference.unwrap();
    upper - lower
}

#[test]
fn it_is_told_until_when_it_is_too_early() {
    let found = planned("{effect: 10%}", measured(9_600, [10, 10]));

    // 480 visitors a day. One in ten finds 10 % with 29,620 visitors of two variations, by `assay plan` for the hybrid.
    let plan = found.plan.as_ref().unwrap();
    assert_eq!((plan.ended_on.as_deref(), plan.reason), (None, None));
    let needed = plan.needed_visitors.unwrap();
    assert!((29_000..31_000).contains(&needed), "{needed}");
    let days = (needed - 9_600).div_ceil(480);
    let days = jiff::Span::new().days(i64::try_from(days).unwrap());
    let shows = jiff::civil::date(2026, 1, 21).checked_add(days).unwrap();
    assert_eq!(plan.shows_by, Some(shows.to_string()));
    let sentence = "Too early: at today's traffic a 10 % effect shows by ";
    assert!(found.verdict.text.starts_with(sentence), "{}", found.verdict.text);
    assert!(found.verdict.text.contains(" March. With `Short text`, "), "{}", found.verdict.text);
    assert_eq!((found.method, found.verdict.code), (IntervalMethod::Hybrid, VerdictCode::TooEarly));
}

#[test]
fn intervals_are_sharper_at_the_planned_end_and_later_visitors_do_not_count() {
    let visitors = measured(9_600, [10, 10]);
    let whole = planned("{until: 2026-01-10}", visitors.clone());
    let (mut exposures, events) = visitors;
    exposures.push(exposure(99_999, 30 * 24, "original"));
    let later = planned("{until: 2026-01-10}", (exposures.clone(), events.clone()));
    let early =
        planned("{until: 2026-02-10}", (exposures[..4_800].to_vec(), events[..480].to_vec()));

    let plan = whole.plan.as_ref().unwrap();
    assert_eq!(
        (plan.until.as_deref(), plan.ended_on.as_deref()),
        (Some("2026-01-10"), Some("2026-01-10"))
    );
    let visitors: u64 = whole.variations.iter().map(|one| one.visitors).sum();
    assert_eq!((visitors, whole.last_day.as_str()), (4_800, "2026-01-10"));
    assert_eq!(later.metrics, whole.metrics);
    assert_eq!(whole.verdict.code, VerdictCode::Inconclusive, "{}", whole.verdict.text);
    let text = "The plan ended on 10 January, and nothing is clear. With `Short text`, ";
    assert!(whole.verdict.text.starts_with(text), "{}", whole.verdict.text);
    assert!(
        early.verdict.text.starts_with("Too early: the plan ends on 10 February. "),
        "{}",
        early.verdict.text
    );
    assert!(width(&whole) < width(&early) * 0.7, "{} {}", width(&whole), width(&early));
}

#[test]
fn a_plan_does_not_end_by_a_handful_of_visitors() {
    let alike = |count: u32| planned("{effect: 50%}", measured(count, [2, 2]));

    let (handful, more) = (alike(160), alike(1_000));

    let plan = handful.plan.as_ref().unwrap();
    assert_eq!((plan.ended_on.as_deref(), plan.needed_visitors), (None, None));
    assert_eq!(plan.reason, Some(NoFigure::TooFewVisitors));
    assert!(more.plan.as_ref().unwrap().ended_on.is_some(), "{:?}", more.plan);
}

#[test]
fn with_a_fixed_horizon_nothing_is_told_before_the_end() {
    let visitors = measured(9_600, [10, 8]);
    let before = planned("{until: 2026-02-10, method: fixed_horizon}", visitors.clone());
    let at_end = planned("{until: 2026-01-20, method: fixed_horizon}", visitors.clone());
    let hybrid = planned("{until: 2026-01-20}", visitors.clone());
    let by_effect = planned("{effect: 20%, method: fixed_horizon}", visitors);

    let hidden = before.metrics[0].variations[1].comparison.as_ref().unwrap();
    assert_eq!(
        (hidden.difference, hidden.lift, hidden.decided),
        (None, None, ComparisonVerdict::Inconclusive)
    );
    assert_eq!((hidden.p_value, hidden.reason), (None, Some(NoFigure::BeforePlannedEnd)));
    assert!(hidden.series.iter().all(|day| day.lift.is_none()), "{hidden:?}");
    let text = "Too early: the plan ends on 10 February. Nothing can be said of `Short text` yet.";
    assert_eq!((before.method, before.verdict.text.as_str()), (IntervalMethod::FixedHorizon, text));
    assert_eq!(at_end.verdict.code, VerdictCode::Better, "{}", at_end.verdict.text);
    assert!(at_end.verdict.text.ends_with(" The plan is over."), "{}", at_end.verdict.text);
    // One look at five percent is somewhat sharper than the end of a hybrid, which has spent a tenth.
    assert!(width(&at_end) < width(&hybrid) && width(&at_end) > width(&hybrid) * 0.9);
    let plan = by_effect.plan.unwrap();
    assert!(plan.needed_visitors.unwrap() < 9_600 && plan.ended_on.is_some(), "{plan:?}");
}

#[test]
fn a_plan_whose_end_is_past_is_over_though_the_last_came_before() {
    let project = project_with("{until: 2026-02-01, method: fixed_horizon}");
    let (exposures, events) = since_start(measured(9_600, [10, 5]));
    let read_on = |day: i64| {
        let moment = Timestamp::from_milliseconds(START + day * 86_400_000);
        let measured = Dataset::of_rows(&exposures, &events).read_at(moment);
        find_results(&project, "hero", &measured).unwrap().remove(0).verdict.code
    };

    assert_eq!(read_on(31), VerdictCode::TooEarly, "on its last day");
    assert_eq!(read_on(32), VerdictCode::Better);
}

#[test]
fn a_plan_that_ended_before_anybody_came_is_named() {
    let project = project_with("{until: 2025-12-24}");
    let (exposures, events) = since_start(measured(96, [10, 10]));

    let nobody =
        find_results(&project, "hero", &Dataset::of_rows(&exposures, &events)).unwrap_err();

    let told = nobody.to_string();
    assert!(told.ends_with("; those after the plan's end, on 2025-12-24, do not count"), "{told}");
}

#[test]
fn a_plan_ends_with_the_visitors_it_needs() {
    let found = planned("{effect: 50%, confidence: 90%}", measured(9_600, [10, 10]));

    let plan = found.plan.as_ref().unwrap();
    let (needed, ended) = (plan.needed_visitors.unwrap(), plan.ended_on.clone().unwrap());
    let came: u64 = found.variations.iter().map(|one| one.visitors).sum();
    assert!(came >= needed && came - needed < 480 && came < 9_600, "{came} of {needed}");
    assert_eq!(found.last_day, ended);
    assert!((found.confidence - 0.9).abs() < 1e-12);
}

#[test]
fn a_second_variation_seen_after_the_planned_end_changes_nothing() {
    let (mut exposures, mut events) = measured(9_600, [10, 10]);
    let plan = "{effect: 50%, confidence: 90%}";
    let before = planned(plan, (exposures.clone(), events.clone()));

    // On the last day, an early visitor is shown the other variation, and signs up.
    exposures.push(exposure(5, 479, "original"));
    events.push(event(5, 479, "signup", None));
    let after = planned(plan, (exposures, events));

    assert!(before.plan.as_ref().unwrap().ended_on.as_ref().unwrap() < &"2026-01-20".to_owned());
    assert_eq!((&after.metrics, &after.variations), (&before.metrics, &before.variations));
    assert_eq!(after.health.mixed_visitors, 0);
}
