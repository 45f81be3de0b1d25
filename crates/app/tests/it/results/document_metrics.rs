//! The metrics of the document, in the roles that a campaign gives them.

use std::collections::HashMap;
use std::fmt::Write as _;

use app::results::ComparisonVerdict::{Better, Inconclusive, NoWorse, Worse};
use app::results::{
    ComparisonResult, MetricKind, MetricResult, MetricRole, Today, VariationResult, VerdictCode,
    results_text,
};
use domain::Project;
use events::{EventRow, ExposureRow, Millis};
use proptest::prelude::*;
use stats::{Alpha, ConfidenceSequence, NoFigure, TunedFor};

use super::{HOUR, done, event, exposure, halves, parsed, results, with};

/// A shop with these metrics, and with a campaign that names its own.
pub(super) fn shop(metrics: &str, of_campaign: &str) -> Project {
    let text = format!(
        "version: 1
project: {{key: shop}}
pages: [{{key: home}}]
events: [{{key: purchase}}, {{key: error}}, {{key: visit}}]
metrics:
{metrics}
campaigns:
  - key: hero
    type: ab_test
    pages: [home]
    metrics: {of_campaign}
    experiments: [{{key: hero, variations: [{{key: original, weight: 50%}}, {{key: short, weight: 50%}}]}}]
"
    );
    parsed(&text)
}

fn compared(metric: &MetricResult) -> &ComparisonResult {
    metric.variations[1].comparison.as_ref().unwrap()
}

#[test]
fn a_ratio_is_one_total_by_another_with_the_variance_of_visitors() {
    let project = shop(
        "  - {key: order_value, type: ratio, event: purchase, value: revenue, per: {event: purchase}}
  - {key: mean_value, type: mean, event: purchase, value: revenue}",
        "{primary: [order_value], secondary: [mean_value]}",
    );
    // Ten visitors of each of six kinds.
    let exposures: Vec<_> = (0..60)
        .map(|one| exposure(one, 0, if one % 6 < 3 { "original" } else { "short" }))
        .collect();
    let orders = [(0, "10"), (0, "20"), (1, "30"), (3, "20"), (4, "50"), (4, "30"), (4, "60")];
    let buys = |visitor, cents| with(event(visitor, 1, "purchase", None), &[("revenue", cents)]);
    let of_ten = |ten: u32| orders.map(|(kind, cents)| buys(ten * 6 + kind, cents));
    let events: Vec<_> = (0..10).flat_map(of_ten).collect();

    let found = results(&project, &exposures, &events);

    for metric in &found.metrics {
        let told: Vec<_> =
            metric.variations.iter().map(|arm| (arm.total, arm.per, arm.mean)).collect();
        assert_eq!(told, [(600.0, Some(30.0), Some(20.0)), (1_600.0, Some(40.0), Some(40.0))]);
        let [difference, lower, upper] = compared(metric).difference.unwrap();
        assert!((difference - 20.0).abs() < 1e-9, "{difference}");
        // By hand: of the control's (30, 2), (30, 1), (0, 0) and the ratio 20, the residuals are −10, 10, 0 with the variance 2000 / 29, and a
        // visitor has 1 order. Of (20, 1), (140, 3), (0, 0) and 40, they are −20, 20, 0 with 8000 / 29, and a visitor has 4/3 orders.
        let error = (2_000.0_f64 / 29.0 / 30.0 + 8_000.0 / 29.0 * 9.0 / 16.0 / 30.0).sqrt();
        let sequence = ConfidenceSequence::new(Alpha::FIVE_PERCENT, TunedFor::WITHOUT_PLAN);
        let reach = sequence.multiplier(60.0) * error;
        assert!((upper - 20.0 - reach).abs() < 1e-9 && (20.0 - lower - reach).abs() < 1e-9);
    }
}

#[test]
fn metrics_of_revenue_say_that_they_are_in_the_smallest_unit_of_the_currency() {
    let project = shop(
        "  - {key: spent, type: sum, event: purchase, value: revenue}
  - {key: worth, type: sum, event: purchase, value: value}
  - {key: order, type: ratio, event: purchase, value: revenue, per: {event: purchase}}
  - {key: share, type: ratio, event: purchase, value: revenue, per: {event: visit, value: revenue}}",
        "{}",
    );
    let bought = done(60, "purchase", [2, 2]).into_iter();
    let events: Vec<_> = bought.map(|row| with(row, &[("revenue", "1999")])).collect();

    let found = results(&project, &halves(60), &events);

    let told: Vec<_> = found.metrics.iter().map(|metric| metric.is_revenue).collect();
    assert_eq!(told, [true, false, true, false]);
    let text = results_text(&found);
    let title = "\nspent (value per visitor, in the currency's smallest unit, primary)\n";
    assert!(text.contains(title) && text.contains("\nworth (value per visitor)\n"), "{text}");
}

#[test]
fn the_next_test_of_revenue_is_planned_with_the_deviation_of_this_one() {
    let project = shop(
        "  - {key: spent, type: sum, event: purchase, value: revenue}
  - {key: order, type: mean, event: purchase, value: revenue}",
        "{primary: [spent], secondary: [order]}",
    );
    let buys = |visitor, cents| with(event(visitor, 1, "purchase", None), &[("revenue", cents)]);

    // Of five visitors of each variation, two buy.
    let found = results(&project, &halves(10), &[buys(0, "200"), buys(2, "300"), buys(1, "100")]);

    let [spent, order] = found.metrics.as_slice() else { panic!("two metrics") };
    // 0, 0, 0, 200 and 300 around their mean of 100, by 5 − 1.
    let deviation = spent.variations[0].deviation.unwrap();
    assert!((deviation - (80_000.0_f64 / 4.0).sqrt()).abs() < 1e-9, "{deviation}");
    assert_eq!(order.variations[0].deviation, None, "an order is not a visitor");
    let known = found.known_for_plan().unwrap();
    assert_eq!(known.today, Today::Mean { mean: 100.0, deviation });
    assert_eq!(known.shares, [0.5, 0.5]);
}

#[test]
fn a_few_orders_name_no_winner_by_their_value() {
    let project = shop("  - {key: value, type: mean, event: purchase, value: revenue}", "{}");
    let buys = |(visitor, cents): &(u32, &str)| {
        with(event(*visitor, 1, "purchase", None), &[("revenue", cents)])
    };
    let by = |orders: &[(u32, &str)]| {
        let events: Vec<_> = orders.iter().map(buys).collect();
        let found = results(&project, &halves(600), &events);
        let comparison = compared(&found.metrics[0]);
        (comparison.decided, comparison.reason, found.metrics[0].variations[1].mean)
    };

    // A price of its own for each, so that nothing is known of the spread.
    let one_each = by(&[(0, "2990"), (1, "4990")]);
    let two_each = by(&[(0, "2990"), (2, "2991"), (1, "4990"), (3, "4995")]);
    let many: Vec<_> = (0..40).map(|one| (one, ["2990", "3990"][(one / 2 % 2) as usize])).collect();

    let few = Some(NoFigure::TooFewVisitors);
    assert_eq!(one_each, (Inconclusive, few, Some(4_990.0)));
    assert_eq!(two_each, (Inconclusive, few, Some(4_992.5)));
    assert_eq!(by(&many), (Inconclusive, None, Some(3_490.0)));
}

#[test]
fn a_window_ends_after_its_hours() {
    let project = shop(
        "  - {key: soon, type: count, event: purchase, window: 3h}
  - {key: ever, type: count, event: purchase}",
        "{}",
    );
    let exposures = [exposure(1, 10, "original"), exposure(2, 10, "short")];
    let events = [9, 10, 12, 13].map(|hour| event(1, hour, "purchase", None));

    let found = results(&project, &exposures, &events);

    let totals: Vec<_> = found.metrics.iter().map(|metric| metric.variations[0].total).collect();
    assert_eq!(totals, [2.0, 3.0]);
    assert_eq!(found.metrics[0].window.as_deref(), Some("3h"));
    let roles: Vec<_> = found.metrics.iter().map(|metric| metric.role).collect();
    assert_eq!(roles, [MetricRole::Primary, MetricRole::Secondary], "the first one decides");
}

#[test]
fn a_cap_cuts_each_visitor_in_the_unit_of_the_value() {
    let project = shop(
        "  - {key: orders, type: count, event: purchase, cap: 2}
  - {key: some, type: count, event: purchase, cap: 1.5}
  - {key: cents, type: sum, event: purchase, value: revenue, cap: 50000}
  - {key: worth, type: sum, event: purchase, value: value, cap: 7.25}",
        "{primary: [orders], secondary: [some, cents, worth]}",
    );
    let exposures = [exposure(1, 0, "original"), exposure(2, 0, "short")];
    let buys = |visitor, value: &str, cents: &str| {
        with(event(visitor, 1, "purchase", Some(value)), &[("revenue", cents)])
    };
    let events =
        [buys(1, "5.5", "49999"), buys(1, "5.5", "3"), buys(1, "-1", "0"), buys(2, "0.5", "70")];

    let found = results(&project, &exposures, &events);

    let totals: Vec<_> = found
        .metrics
        .iter()
        .map(|metric| [metric.variations[0].total, metric.variations[1].total])
        .collect();
    assert_eq!(totals, [[2.0, 1.0], [1.5, 1.0], [50_000.0, 70.0], [7.25, 0.5]]);
}

#[test]
fn only_events_with_the_properties_that_are_asked_for_count() {
    let project = shop(
        "  - {key: pro, type: count, event: error, where: {plan: pro, retried: false, code: 3}}
  - {key: weight, type: sum, event: error, value: weight}",
        "{}",
    );
    let exposures = [exposure(1, 0, "original"), exposure(2, 0, "short")];
    let error = |properties: &[(&str, &str)]| with(event(1, 1, "error", None), properties);
    let events = [
        error(&[("plan", "pro"), ("retried", "False"), ("code", "3.0"), ("weight", "0.25")]),
        error(&[("plan", "pro"), ("retried", "true"), ("code", "3"), ("weight", "heavy")]),
        error(&[("plan", "Pro"), ("retried", "false"), ("code", "3")]),
        error(&[("retried", "false"), ("code", "3"), ("weight", "1")]),
    ];

    let found = results(&project, &exposures, &events);

    let totals: Vec<_> = found.metrics.iter().map(|metric| metric.variations[0].total).collect();
    assert_eq!(totals, [1.0, 1.25]);
}

#[test]
fn where_less_is_better_a_variation_wins_by_falling() {
    let project = shop(
        "  - {key: errors, type: conversion, event: error, good: down}",
        "{primary: [errors]}",
    );

    let found = results(&project, &halves(20_000), &done(20_000, "error", [8, 10]));

    assert_eq!(found.verdict.code, VerdictCode::Better, "{}", found.verdict.text);
    let text = "With `short`, `errors` is between ";
    assert!(found.verdict.text.starts_with(text), "{}", found.verdict.text);
    assert!(found.verdict.text.contains(" lower than with `original`. You can stop"));
    assert_eq!(compared(&found.metrics[0]).decided, Better);
    let rose = results(&project, &halves(20_000), &done(20_000, "error", [10, 8]));
    assert_eq!(rose.verdict.code, VerdictCode::Worse, "{}", rose.verdict.text);
}

const GUARDED: &str =
    "{primary: [buyers], secondary: [visits], guardrails: [{metric: errors, margin: 5%}]}";
const BUYERS: &str = "  - {key: buyers, type: conversion, event: purchase}
  - {key: errors, name: Errors, type: conversion, event: error, good: down}
  - {key: visits, type: count, event: visit}";

#[test]
fn a_guardrail_that_fails_is_told_beside_the_winner() {
    let project = shop(BUYERS, GUARDED);
    let events = [done(20_000, "purchase", [10, 8]), done(20_000, "error", [10, 8])].concat();

    let found = results(&project, &halves(20_000), &events);

    let verdict = &found.verdict;
    assert_eq!(verdict.code, VerdictCode::Better);
    assert!(!verdict.text.contains("You can stop"), "{}", verdict.text);
    let [sentence] = verdict.guardrails.as_slice() else { panic!("{:?}", verdict.guardrails) };
    let text = "The guardrail `Errors` fails: With `short`, `Errors` is between ";
    assert!(sentence.starts_with(text) && sentence.contains(" higher than "), "{sentence}");
    let roles: Vec<_> = found.metrics.iter().map(|metric| (metric.role, metric.margin)).collect();
    let (primary, secondary) = (MetricRole::Primary, MetricRole::Secondary);
    assert_eq!(roles, [(primary, None), (secondary, None), (MetricRole::Guardrail, Some(0.05))]);
    assert_eq!(compared(&found.metrics[2]).decided, Worse);
    assert!(compared(&found.metrics[2]).decided_on.is_some());
}

#[test]
fn a_guardrail_that_the_control_never_hits_fails_as_conversion_and_as_count() {
    let metrics = BUYERS.to_owned() + "\n  - {key: crashes, type: count, event: error, good: down}";
    let guardrails = "{primary: [buyers], guardrails: [{metric: errors, margin: 5%}, {metric: crashes, margin: 5%}]}";
    let project = shop(&metrics, guardrails);
    let mut errors = done(2_000, "error", [10, 10]);
    errors.retain(|row| !row.visitor.parse::<u32>().unwrap().is_multiple_of(2));

    let found = results(&project, &halves(2_000), &errors);

    let decided: Vec<_> = found.metrics.iter().map(|metric| compared(metric).decided).collect();
    assert_eq!(decided, [Inconclusive, Worse, Worse]);
    let told = found.verdict.guardrails.join(" ");
    assert!(told.contains("The guardrail `Errors` fails: "), "{told}");
    assert!(told.contains("The guardrail `crashes` fails: "), "{told}");
}

#[test]
fn a_guardrail_holds_if_the_harm_is_excluded_and_is_not_clear_before() {
    let project = shop(BUYERS, GUARDED);
    let told = |visitors, errors: [u32; 2]| {
        let events =
            [done(visitors, "purchase", [10, 7]), done(visitors, "error", errors)].concat();
        results(&project, &halves(visitors), &events)
    };

    let (held, early) = (told(40_000, [3, 4]), told(14_000, [10, 10]));

    assert_eq!(compared(&held.metrics[2]).decided, NoWorse);
    assert!(held.verdict.guardrails.is_empty(), "{:?}", held.verdict.guardrails);
    assert!(held.verdict.text.contains("You can stop"));
    assert_eq!(early.verdict.code, VerdictCode::Better, "{}", early.verdict.text);
    let text =
        "The guardrail `Errors` is not clear yet: `short` may make it worse by more than 5 %.";
    assert_eq!(early.verdict.guardrails, [text]);
}

#[test]
fn what_wins_by_one_primary_metric_and_loses_by_another_is_not_a_winner() {
    let project = shop(BUYERS, "{primary: [buyers, errors]}");
    let events = [done(20_000, "purchase", [10, 7]), done(20_000, "error", [10, 7])].concat();

    let found = results(&project, &halves(20_000), &events);

    assert_eq!(found.verdict.code, VerdictCode::Mixed, "{}", found.verdict.text);
    let decided: Vec<_> = found.metrics.iter().map(|metric| compared(metric).decided).collect();
    assert_eq!(decided, [Better, Worse]);
}

#[test]
fn what_visitors_did_before_makes_intervals_narrower() {
    let project = shop(
        "  - {key: plain, type: count, event: visit}
  - {key: adjusted, type: count, event: visit, covariate: 14d}",
        "{primary: [plain], secondary: [adjusted]}",
    );
    let visitors = 4_000;
    let mut events = Vec::new();
    let exposures: Vec<_> = halves(visitors)
        .into_iter()
        .map(|row| ExposureRow { at: Millis(row.at.0 + 400 * HOUR), ..row })
        .collect();
    for one in 0..visitors {
        let start = i64::from(one) / 20 + 400;
        let (habit, noise) = (one / 2 * 7 % 10, one * 13 % 3);
        events.extend((0..habit).map(|_| event(one, start - 100, "visit", None)));
        events.extend((0..habit + noise).map(|_| event(one, start + 1, "visit", None)));
        events.push(event(one, start - 15 * 24, "visit", None));
    }

    let found = results(&project, &exposures, &events);

    let width = |metric: &MetricResult| {
        let [_, lower, upper] = compared(metric).difference.unwrap();
        upper - lower
    };
    let [plain, adjusted] = [&found.metrics[0], &found.metrics[1]].map(width);
    assert!(adjusted < plain * 0.4, "{adjusted} of {plain}");
    assert_eq!(found.metrics[0].variations[1].mean, found.metrics[1].variations[1].mean);
}

#[test]
fn a_quantile_is_shown_without_an_interval() {
    let project = shop(
        "  - {key: slowest, type: quantile, event: visit, value: ms, quantile: 75%}
  - {key: visits, type: count, event: visit}",
        "{}",
    );
    let exposures: Vec<_> =
        (0..9).map(|one| exposure(one, 0, if one < 4 { "original" } else { "short" })).collect();
    let times = [(0, "30.5"), (1, "10"), (2, "20"), (3, "40"), (4, "7"), (4, "1")];
    let events = times.map(|(one, ms)| with(event(one, 1, "visit", None), &[("ms", ms)]));

    let found = results(&project, &exposures, &events);

    let slowest = found.metrics.iter().find(|metric| metric.kind == MetricKind::Quantile).unwrap();
    let means: Vec<_> = slowest.variations.iter().map(|arm| arm.mean).collect();
    assert_eq!(means, [Some(30.5), Some(0.0)], "a visitor who did nothing has a total of zero");
    assert_eq!(
        (compared(slowest).reason, compared(slowest).lift),
        (Some(NoFigure::OneLookOnly), None)
    );
    assert_eq!(found.metrics[0].event, "visit");
    assert_eq!(found.metrics[0].kind, MetricKind::Count, "a quantile cannot decide");
}

/// What a metric of a random document says, computed visitor by visitor from its words.
#[derive(Debug, Clone)]
struct RandomMetric {
    kind: &'static str,
    window: Option<i64>,
    cap: Option<i64>,
    is_filtered: bool,
}

impl RandomMetric {
    fn yaml(&self) -> String {
        let mut text = format!("  - {{key: asked, type: {}, event: purchase", self.kind);
        match self.kind {
            "sum" | "mean" => text.push_str(", value: value"),
            "ratio" => text.push_str(", value: value, per: {event: visit}"),
            _ => {}
        }
        if let Some(window) = self.window {
            let _ = write!(text, ", window: {window}h");
        }
        if let Some(cap) = self.cap.filter(|_| ["sum", "count"].contains(&self.kind)) {
            let _ = write!(text, ", cap: {cap}");
        }
        if self.is_filtered {
            text.push_str(", where: {plan: pro}");
        }
        text + "}"
    }

    /// The total and what it is divided by.
    fn plainly(&self, shown: &HashMap<String, i64>, events: &[EventRow]) -> (i64, i64) {
        let (mut total, mut per) = (0, 0);
        for (visitor, at) in shown {
            let counts = |row: &&EventRow, name: &str| {
                let age = row.at.0 - at;
                let is_in = age >= 0 && self.window.is_none_or(|hours| age < hours * HOUR);
                row.visitor == *visitor && row.name == name && is_in
            };
            let is_pro = |row: &&EventRow| {
                !self.is_filtered || row.properties.get("plan").map(String::as_str) == Some("pro")
            };
            let own: Vec<_> =
                events.iter().filter(|row| counts(row, "purchase")).filter(is_pro).collect();
            let values =
                own.iter().filter_map(|row| row.value).map(|value| value.millionths() / 1_000_000);
            let cut = |value: i64| self.cap.map_or(value, |cap| value.clamp(-cap, cap));
            match self.kind {
                "conversion" => total += i64::from(!own.is_empty()),
                "count" => total += cut(i64::try_from(own.len()).unwrap()),
                "sum" => total += cut(values.sum()),
                "mean" => {
                    total += values.sum::<i64>();
                    per += i64::try_from(own.len()).unwrap();
                }
                _ => {
                    total += values.sum::<i64>();
                    per += i64::try_from(events.iter().filter(|row| counts(row, "visit")).count())
                        .unwrap();
                }
            }
        }
        (total, per)
    }
}

fn small(number: i64) -> f64 {
    f64::from(i32::try_from(number).unwrap())
}

fn asked() -> impl Strategy<Value = RandomMetric> {
    let kind = prop::sample::select(&["conversion", "count", "sum", "mean", "ratio"][..]);
    let parts = (kind, prop::option::of(1..60_i64), prop::option::of(1..6_i64), any::<bool>());
    parts.prop_map(|(kind, window, cap, is_filtered)| RandomMetric {
        kind,
        window,
        cap,
        is_filtered,
    })
}

fn random_events() -> impl Strategy<Value = Vec<EventRow>> {
    let one = (0..14_u32, -5..90_i64, 0..2_usize, prop::option::of(-4..9_i64), any::<bool>());
    let row = one.prop_map(|(visitor, hour, name, value, is_pro)| {
        let value = value.map(|value| value.to_string());
        let row = event(visitor, hour, ["purchase", "visit"][name], value.as_deref());
        with(row, &[("plan", if is_pro { "pro" } else { "free" })])
    });
    prop::collection::vec(row, 0..60)
}

proptest! {
    #[test]
    fn metrics_of_the_document_are_what_their_words_say(
        asked in asked(), starts in prop::collection::vec(0..40_i64, 10), events in random_events(),
    ) {
        let exposures: Vec<_> = (0..10_u32)
            .zip(&starts)
            .map(|(one, hour)| exposure(one, *hour, ["original", "short"][(one % 2) as usize]))
            .collect();

        let found = results(&shop(&asked.yaml(), "{}"), &exposures, &events);

        for (arm, name) in ["original", "short"].into_iter().enumerate() {
            let shown = exposures.iter().filter(|row| row.variation == name);
            let shown: HashMap<_, _> = shown.map(|row| (row.visitor.clone(), row.at.0)).collect();
            let (total, per) = asked.plainly(&shown, &events);
            let VariationResult { total: told, per: told_per, mean, .. } = found.metrics[0].variations[arm];
            prop_assert_eq!(told.to_string(), total.to_string());
            let divided = if ["mean", "ratio"].contains(&asked.kind) {
                prop_assert_eq!(told_per.map(|per| per.to_string()), Some(per.to_string()));
                per
            } else {
                5
            };
            let expected = (divided != 0).then(|| small(total) / small(divided));
            prop_assert_eq!(mean.is_some(), expected.is_some());
            if let (Some(mean), Some(expected)) = (mean, expected) {
                prop_assert!((mean - expected).abs() < 1e-9, "{} {}", mean, expected);
            }
        }
    }
}
