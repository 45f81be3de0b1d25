//! What people at a terminal read where a lift has no figure.

use app::results::results_text;
use domain::Project;
use events::{EventRow, ExposureRow};

use super::document_metrics::shop;
use super::{done, event, exposure, halves, results, with};

/// The line of the variation in the table of each metric.
fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with("  short ")).collect()
}

fn verdict_and_text(
    project: &Project,
    exposures: &[ExposureRow],
    events: &[EventRow],
) -> (String, String) {
    let found = results(project, exposures, events);
    (found.verdict.text.clone(), results_text(&found))
}

#[test]
fn a_control_without_conversions_has_a_difference_and_a_verdict() {
    let project = shop(
        "  - {key: buyers, type: conversion, event: purchase}
  - {key: orders, type: count, event: purchase}
  - {key: errors, type: conversion, event: error, good: down}",
        "{primary: [buyers, orders], guardrails: [{metric: errors, margin: 5%}]}",
    );
    let mut events = [done(10_000, "purchase", [20, 20]), done(10_000, "error", [25, 25])].concat();
    events.retain(|row| !row.visitor.parse::<u32>().unwrap().is_multiple_of(2));

    let (verdict, text) = verdict_and_text(&project, &halves(10_000), &events);

    assert_eq!(
        lines(&text),
        [
            "  short           5,000        5.00 %  +5.00 points  (+3.85 points to +6.15 points)  better  no lift: zero baseline",
            "  short           5,000        0.0500    +0.0500  (+0.0385 to +0.0615)  better  no lift: zero baseline",
            "  short           5,000        4.00 %  +4.00 points  (+2.97 points to +5.03 points)  worse  no lift: zero baseline",
        ]
    );
    assert!(verdict.contains("It is also better by `"), "{verdict}");
}

#[test]
fn with_a_covariate_the_reason_is_of_the_adjusted_mean() {
    let project = shop(
        "  - {key: net, type: sum, event: purchase, value: revenue, covariate: 2d}",
        "{primary: [net]}",
    );
    let at = |one: u32| i64::from(one) / 20 + 400;
    let exposures = (0..2_000)
        .map(|one| exposure(one, at(one), if one % 2 == 0 { "original" } else { "short" }));
    let paid = |one: u32, hour, cents: &str| {
        with(event(one, hour, "purchase", None), &[("revenue", cents)])
    };
    let (few, more) = ((0..20).step_by(2), (1..10).step_by(2));
    let before = few.clone().chain(more.clone()).map(|one| paid(one, at(one) - 1, "1000"));
    let after = few.map(|one| paid(one, at(one) + 1, "100"));
    let after = after.chain(more.map(|one| paid(one, at(one) + 1, "5000")));

    let (_, text) = verdict_and_text(
        &project,
        &exposures.collect::<Vec<_>>(),
        &before.chain(after).collect::<Vec<_>>(),
    );

    let [line] = lines(&text)[..] else { panic!("{text}") };
    assert!(line.contains("  no lift: negative adjusted baseline"), "{line}");
    assert!(text.contains("  original        1,000        1.0000\n"), "{text}");
}
