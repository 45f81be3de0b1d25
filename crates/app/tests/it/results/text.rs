//! What people at a terminal read where a lift has no figure.

use app::results::results_text;
use domain::Project;
use events::{EventRow, ExposureRow};

use super::document_metrics::shop;
use super::{done, halves, results};

/// The line of the variation in the table of each metric.
fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with("  short ")).collect()
}

fn told(project: &Project, exposures: &[ExposureRow], events: &[EventRow]) -> (String, String) {
    let found = results(project, exposures, events);
    (found.verdict.text.clone(), results_text(&found))
}

#[test]
fn a_control_that_nobody_converts_in_has_a_difference_and_a_verdict() {
    let project = shop(
        "  - {key: buyers, type: conversion, event: purchase}
  - {key: orders, type: count, event: purchase}
  - {key: errors, type: conversion, event: error, good: down}",
        "{primary: [buyers, orders], guardrails: [{metric: errors, margin: 5%}]}",
    );
    let mut events = [done(10_000, "purchase", [20, 20]), done(10_000, "error", [25, 25])].concat();
    events.retain(|row| !row.visitor.parse::<u32>().unwrap().is_multiple_of(2));

    let (verdict, text) = told(&project, &halves(10_000), &events);

    assert_eq!(
        lines(&text),
        [
            "  short           5 000        5.00 %  +5.00 points  (+3.85 points to +6.15 points)  better  no lift: zero baseline",
            "  short           5 000        0.0500    +0.0500  (+0.0385 to +0.0615)  better  no lift: zero baseline",
            "  short           5 000        4.00 %  +4.00 points  (+2.97 points to +5.03 points)  worse  no lift: zero baseline",
        ]
    );
    assert!(verdict.contains("It is also better by `"), "{verdict}");
}
