//! Guardrails over time: what is said of them today.

use app::results::{ComparisonResult, ComparisonVerdict, Results, VerdictCode};
use domain::Project;
use events::{EventRow, ExposureRow};

use super::document_metrics::shop;
use super::{event, exposure, results};

/// A stretch of days: how many, the visitors of each variation on each, and how many of a thousand of these buy, by variation.
type Stretch = (i64, u32, [u32; 2]);

/// What visitors of these days did. Of a thousand of each variation, so many visit.
fn visits(stretches: &[Stretch], visiting: [u32; 2]) -> (Vec<ExposureRow>, Vec<EventRow>) {
    let days = stretches
        .iter()
        .flat_map(|(days, visitors, buying)| (0..*days).map(move |_| (*visitors, *buying)));
    let (mut exposures, mut events, mut visitor) = (Vec::new(), Vec::new(), 0);
    for (day, (visitors, buying)) in (0..).zip(days) {
        for place in 0..2 * visitors {
            let (arm, nth) = ((place % 2) as usize, place / 2);
            visitor += 1;
            exposures.push(exposure(visitor, day * 24, ["original", "short"][arm]));
            let does = [("purchase", buying[arm]), ("visit", visiting[arm])];
            let done = does.into_iter().filter(|(_, rate)| nth < visitors * rate / 1_000);
            events.extend(done.map(|(name, _)| event(visitor, day * 24, name, None)));
        }
    }
    (exposures, events)
}

/// Visits decide, and purchases must not become worse by more than the margin.
fn guarded(margin: &str, plan: &str) -> Project {
    shop(
        "  - {key: visits, type: conversion, event: visit}
  - {key: purchases, type: conversion, event: purchase}",
        &format!(
            "{{primary: [visits], guardrails: [{{metric: purchases, margin: {margin}}}]}}{plan}"
        ),
    )
}

fn found(project: &Project, (exposures, events): (Vec<ExposureRow>, Vec<EventRow>)) -> Results {
    results(project, &exposures, &events)
}

fn guardrail(found: &Results) -> &ComparisonResult {
    found.metrics[1].variations[1].comparison.as_ref().unwrap()
}

const EQUAL: Stretch = (5, 1_200, [300, 300]);
const FALLEN: Stretch = (5, 1_700, [300, 273]);
const BAYESIAN: &str = "\n    plan: {method: bayesian}";

#[test]
fn a_guardrail_that_held_on_earlier_days_speaks_against_a_winner_once_it_may_have_fallen() {
    let project = guarded("10%", "");
    let of = |days: &[Stretch]| found(&project, visits(days, [100, 140]));

    let before = of(&[EQUAL]);
    let after = of(&[EQUAL, FALLEN]);
    let recovered = of(&[EQUAL, FALLEN, (10, 1_700, [300, 300])]);

    assert_eq!(guardrail(&before).decided, ComparisonVerdict::NoWorse);
    assert!(before.verdict.text.contains("You can stop"), "{}", before.verdict.text);
    let [_, lower, _] = guardrail(&after).lift.unwrap();
    assert!(lower < -0.1, "more harm than the margin is in the interval: {lower}");
    assert_eq!(
        (guardrail(&after).decided, &guardrail(&after).decided_on),
        (ComparisonVerdict::Inconclusive, &None)
    );
    assert_eq!(after.verdict.code, VerdictCode::Better, "{}", after.verdict.text);
    assert!(!after.verdict.text.contains("You can stop"), "{}", after.verdict.text);
    let told =
        "The guardrail `purchases` is not clear yet: `short` may make it worse by more than 10 %.";
    assert_eq!(after.verdict.guardrails, [told]);
    let since = guardrail(&recovered).decided_on.as_deref();
    assert_eq!(guardrail(&recovered).decided, ComparisonVerdict::NoWorse);
    assert!(since > Some("1970-01-10"), "since when it holds without a break: {since:?}");
}

#[test]
fn a_guardrail_that_failed_on_an_earlier_day_still_fails_and_may_have_worn_off() {
    let days = [(3, 600, [300, 200]), (20, 600, [300, 300])];

    let found = found(&guarded("2%", ""), visits(&days, [100, 100]));

    let [_, lower, upper] = guardrail(&found).lift.unwrap();
    assert!(lower < 0.0 && 0.0 < upper, "today it is not known: {lower} {upper}");
    assert_eq!(guardrail(&found).decided, ComparisonVerdict::Worse);
    let [told] = found.verdict.guardrails.as_slice() else { panic!("{:?}", found.verdict) };
    let begin = "The guardrail `purchases` failed: `short` was worse on 1970-01-0";
    assert!(told.starts_with(begin), "{told}");
    assert!(
        told.contains("; that may have worn off since. With `short`, `purchases` is "),
        "{told}"
    );
}

#[test]
fn a_bayesian_guardrail_is_judged_by_today_and_not_by_one_noisy_day() {
    let noisy = (1, 300, [300, 150]);
    let project = guarded("2%", BAYESIAN);

    let at_first = found(&project, visits(&[noisy], [100, 100]));
    let today = found(&project, visits(&[noisy, (20, 300, [300, 300])], [100, 100]));

    let told = |found: &Results| {
        let guardrail = guardrail(found);
        (guardrail.decided, guardrail.decided_on.clone())
    };
    assert_eq!(told(&at_first), (ComparisonVerdict::Worse, Some("1970-01-01".to_owned())));
    assert_eq!(told(&today), (ComparisonVerdict::Inconclusive, None));
    assert!(today.verdict.guardrails.is_empty(), "{:?}", today.verdict);
}
