//! Results for people at a terminal.

use std::fmt::Write as _;

use app::results::{ArmResult, HealthReport, MetricKind, MetricResult, Results};

/// The verdict, a table for each metric, and what to know about the figures.
pub(super) fn results_text(results: &Results) -> String {
    let visitors: u64 = results.variations.iter().map(|one| one.visitors).sum();
    let Results { campaign, experiment, first_day, last_day, .. } = results;
    let title =
        if campaign == experiment { campaign.clone() } else { format!("{campaign}, {experiment}") };
    let mut text =
        format!("{title}: {} visitors, {first_day} to {last_day}\n\n", thousands(visitors));
    text.push_str(&results.verdict.text.replace('`', ""));
    text.push('\n');
    for metric in &results.metrics {
        text.push('\n');
        write_metric(&mut text, metric);
    }
    let confidence = results.confidence * 100.0;
    let _ = write!(
        text,
        "\n{}\nIntervals hold the effect at all looks together, in {confidence:.0} % of experiments.",
        health(&results.health)
    );
    text
}

fn write_metric(text: &mut String, metric: &MetricResult) {
    let role = if metric.is_primary { ", primary" } else { "" };
    let what = match metric.kind {
        MetricKind::Conversion => "visitors who do it",
        MetricKind::Sum => "value per visitor",
        MetricKind::Revenue => "revenue per visitor",
    };
    let _ = writeln!(text, "{} ({what}{role})", metric.event);
    let names = metric.variations.iter().map(|arm| arm.variation.chars().count());
    let width = names.max().unwrap_or(0);
    for arm in &metric.variations {
        let mean = arm.mean.map_or("–".to_owned(), |mean| match metric.kind {
            MetricKind::Conversion => format!("{:.2} %", mean * 100.0),
            MetricKind::Sum | MetricKind::Revenue => format!("{mean:.4}"),
        });
        let (name, visitors) = (&arm.variation, thousands(arm.visitors));
        let line = format!("  {name:width$}  {visitors:>11}  {mean:>12}  {}", compared(arm));
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

fn compared(arm: &ArmResult) -> String {
    let Some(comparison) = &arm.comparison else { return String::new() };
    let percent = |lift: f64| format!("{:+.1} %", lift * 100.0);
    match (comparison.lift, comparison.reason) {
        (Some([lift, lower, upper]), _) => format!(
            "{:>9}  ({} to {})  {}",
            percent(lift),
            percent(lower),
            percent(upper),
            comparison.decided
        ),
        (None, Some(reason)) => format!("no figure: {}", reason.replace('_', " ")),
        (None, None) => String::new(),
    }
}

fn health(health: &HealthReport) -> String {
    let ratio = match (health.sample_ratio.p_value, health.sample_ratio.is_alarmed) {
        (_, true) => "visitors did not come in the shares of the weights".to_owned(),
        (Some(_), false) => "visitors came in the shares of the weights".to_owned(),
        (None, false) => "the shares of visitors cannot be checked".to_owned(),
    };
    let counts = [
        (health.mixed_visitors, "visitors of two variations are left out"),
        (health.unknown_variations, "exposures to other variations are left out"),
        (
            health.events_without_exposure.unwrap_or_default(),
            "events are of visitors without an exposure",
        ),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts = counts.map(|(count, words)| format!("{} {words}", thousands(count)));
    let all: Vec<String> = std::iter::once(ratio).chain(counts).collect();
    format!("Health: {}.", all.join("; "))
}

/// A count with a blank between thousands.
pub(crate) fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).expect("digits are UTF-8"))
        .collect();
    groups.join(" ")
}
