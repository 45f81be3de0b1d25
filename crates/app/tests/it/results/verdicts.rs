//! The sentence of a verdict, where percents of the control say nothing, and where what is known has changed since.

use std::sync::Arc;

use app::results::{Results, VerdictCode, results_text};
use domain::CampaignStatus;

use super::document_metrics::shop as with_metrics;
use super::{HALVES, done, event, exposure, halves, measured, parsed, results, shop, with};

/// A visitor an hour to each of three, whose profits are around these.
fn profits(around: [i64; 3]) -> Results {
    let text = "version: 1
project: {key: shop}
pages: [{key: home}]
events: [{key: order}]
metrics: [{key: profit, name: Profit, type: sum, event: order, value: revenue}]
campaigns:
  - {key: hero, type: ab_test, pages: [home], experiments: [{key: hero, variations: [{key: a, weight: 3334}, {key: b, weight: 3333}, {key: c, weight: 3333}]}]}
";
    let project = parsed(text);
    let place = |visitor: u32| (visitor % 3) as usize;
    let exposures: Vec<_> = (0..6_000)
        .map(|one| exposure(one, i64::from(one) / 20, ["a", "b", "c"][place(one)]))
        .collect();
    let orders = (0..6_000).map(|one: u32| {
        let cents = around[place(one)] + i64::from(one / 3 % 3) - 1;
        let order = event(one, i64::from(one) / 20, "order", None);
        with(order, &[("revenue", &cents.to_string())])
    });
    results(&project, &exposures, &orders.collect::<Vec<_>>())
}

#[test]
fn the_smaller_loss_wins_and_the_verdict_has_the_unit_of_the_metric() {
    let found = profits([-100, -50, -80]);

    let told = (&found.verdict.code, found.verdict.text.as_str());
    assert_eq!(told.0, &VerdictCode::Better, "{}", told.1);
    assert!(
        told.1.starts_with("With `b`, `Profit` is between 49.9 and 50.1 higher than"),
        "{}",
        told.1
    );
}

#[test]
fn how_sure_intervals_are_is_told_where_comparisons_are_judged_together() {
    // One of the two variations differs from the control.
    let found = profits([-100, -50, -100]);

    let levels: Vec<_> = found.metrics[0].variations[1..]
        .iter()
        .map(|one| one.comparison.as_ref().unwrap().interval_confidence.unwrap())
        .collect();
    assert_eq!((found.confidence, levels), (0.95, vec![0.975, 0.975]));
    let told = "In 95 % of experiments, intervals hold the effect at all looks together. Those of the 2 comparisons by primary metrics, which are judged together, are at 97.5 % each.";
    let text = results_text(&found);
    assert!(text.contains(told), "{text}");
    let csv = app::results::results_csv([&found]);
    let column: Vec<_> = csv.lines().map(|line| line.rsplit(',').nth(1).unwrap()).collect();
    assert_eq!(column, ["interval_confidence", "", "0.975", "0.975"]);
}

#[test]
fn an_interval_is_as_sure_as_the_plan_asks_where_all_are_discoveries() {
    let found = profits([-100, -50, -80]);

    let comparison = found.metrics[0].variations[2].comparison.as_ref().unwrap();
    assert_eq!(comparison.interval_confidence, Some(0.95));
    assert!(!results_text(&found).contains("judged together"));
}

#[test]
fn values_that_are_large_and_alike_have_no_winner_where_nothing_differs() {
    let project = with_metrics(
        "  - {key: total, type: sum, event: visit, value: value}
  - {key: each, type: mean, event: visit, value: value}",
        "{primary: [total, each]}",
    );
    let visits = |around: u32| -> Vec<_> {
        let value = |one: u32| format!("{around}.{:06}", one / 2 * 7_919 % 2_003 * 400 + one % 2);
        (0..2_000).map(|one| event(one, i64::from(one) / 20, "visit", Some(&value(one)))).collect()
    };
    let widths = [1, 100_000_000].map(|around| {
        let found = results(&project, &halves(2_000), &visits(around));
        assert_eq!(found.verdict.code, VerdictCode::TooEarly, "{}", found.verdict.text);
        let differences = found.metrics.iter().map(|metric| {
            let comparison = metric.variations[1].comparison.as_ref().unwrap();
            let [_, lower, upper] = comparison.difference.unwrap();
            upper - lower
        });
        differences.collect::<Vec<_>>()
    });

    for (small, large) in widths[0].iter().zip(&widths[1]) {
        assert!((small - large).abs() < 1e-6 * small, "{widths:?}");
    }
}

#[test]
fn a_winner_over_a_control_that_hardly_converts_is_told_by_visitors() {
    let (exposures, _) = measured(2_000, [1, 1]);
    let signs_up = |visitor: &u32| match visitor % 2 {
        0 => visitor.is_multiple_of(400),
        _ => visitor % 40 == 1,
    };
    let events: Vec<_> = (0..2_000)
        .filter(signs_up)
        .map(|visitor| event(visitor, i64::from(visitor) / 20 + 1, "signup", None))
        .collect();

    let found = results(&shop(HALVES), &exposures, &events);

    assert_eq!(found.verdict.code, VerdictCode::Better, "{}", found.verdict.text);
    let begin = "With `Short text`, between ";
    let text = &found.verdict.text;
    assert!(
        text.starts_with(begin) && text.contains(" more of 100 visitors convert on `signup` than"),
        "{text}"
    );
    assert!(found.verdict.stands);
}

#[test]
fn a_variation_without_revenue_is_told_to_be_stopped() {
    let project = with_metrics(
        "  - {key: revenue, type: sum, event: purchase, value: revenue}",
        "{primary: [revenue]}",
    );
    let purchases = done(2_000, "purchase", [10, 10])
        .into_iter()
        .filter(|row| row.visitor.parse::<u32>().unwrap().is_multiple_of(2));
    let paid: Vec<_> = purchases.map(|row| with(row, &[("revenue", "1999")])).collect();

    let found = results(&project, &halves(2_000), &paid);

    assert_eq!(found.verdict.code, VerdictCode::Worse, "{}", found.verdict.text);
}

#[test]
fn a_variation_without_conversions_is_told_to_be_stopped() {
    let (exposures, mut events) = measured(2_000, [10, 10]);
    events.retain(|row| row.visitor.parse::<u32>().unwrap().is_multiple_of(2));

    let found = results(&shop(HALVES), &exposures, &events);

    assert_eq!(found.verdict.code, VerdictCode::Worse, "{}", found.verdict.text);
}

#[test]
fn a_winner_of_earlier_days_that_loses_now_is_told_so_without_advice() {
    let exposures: Vec<_> = (0..60_000)
        .map(|one: u32| {
            exposure(one, i64::from(one) / 200, ["original", "short"][(one % 2) as usize])
        })
        .collect();
    // Much better at first, and then worse for much longer.
    let signs_up = |one: &u32| match (one % 2, *one < 6_000) {
        (0, _) => one / 2 % 20 < 4,
        (_, true) => one / 2 % 20 < 6,
        (_, false) => one / 2 % 200 < 37,
    };
    let events: Vec<_> = (0..60_000)
        .filter(signs_up)
        .map(|one| event(one, i64::from(one) / 200, "signup", None))
        .collect();

    let found = results(&shop(HALVES), &exposures, &events);

    let text = &found.verdict.text;
    assert_eq!(found.verdict.code, VerdictCode::Better, "{text}");
    assert!(text.starts_with("`Short text` was better on 1970-01-0"), "{text}");
    assert!(
        text.contains("that may have worn off since. With ") && !text.contains("You can stop"),
        "{text}"
    );
    assert!(!found.verdict.stands);
}

#[test]
fn a_loss_of_earlier_days_beside_a_gain_is_told_with_its_day_and_without_advice() {
    let project = with_metrics(
        "  - {key: visits, name: Visits, type: conversion, event: visit}
  - {key: orders, name: Orders, type: conversion, event: purchase}",
        "{primary: [visits, orders]}",
    );
    let exposures: Vec<_> = (0..60_000)
        .map(|one: u32| {
            exposure(one, i64::from(one) / 200, ["original", "short"][(one % 2) as usize])
        })
        .collect();
    // By orders much worse at first, and then a little better for much longer.
    let orders = |one: &u32| match (one % 2, *one < 6_000) {
        (0, _) => one / 2 % 20 < 4,
        (_, true) => one / 2 % 20 < 2,
        (_, false) => one / 2 % 200 < 43,
    };
    let visits = |one: &u32| one / 2 % 20 < 4 + one % 2 * 2;
    let told = |name: &'static str, one: u32| event(one, i64::from(one) / 200, name, None);
    let visits = (0..60_000).filter(visits).map(|one| told("visit", one));
    let orders = (0..60_000).filter(orders).map(|one| told("purchase", one));

    let found = results(&project, &exposures, &visits.chain(orders).collect::<Vec<_>>());

    let text = &found.verdict.text;
    assert_eq!(found.verdict.code, VerdictCode::Mixed, "{text}");
    assert!(text.starts_with("With `short`, `Visits` is between "), "{text}");
    assert!(text.contains(" But: `short` was worse on 1970-01-0"), "{text}");
    assert!(!text.contains("Weigh them") && !found.verdict.stands, "{text}");
    let table = results_text(&found);
    assert!(table.contains("  worse on 1970-01-0") && table.contains("  better\n"), "{table}");
}

#[test]
fn nothing_that_is_counted_falls_by_more_than_all_of_it() {
    let (exposures, events) = measured(2_000, [15, 500]);

    let found = results(&shop(HALVES), &exposures, &events);

    let comparison = found.metrics[0].variations[1].comparison.as_ref().unwrap();
    assert!(comparison.lift.is_some_and(|[_, lower, _]| lower < -1.0), "{comparison:?}");
    let text = &found.verdict.text;
    assert!(text.contains("100.0 % fewer"), "{text}");
    assert!(results_text(&found).contains("(-100.0 % to "), "{}", results_text(&found));
}

#[test]
fn a_campaign_that_has_ended_is_not_told_to_be_stopped() {
    let (exposures, events) = measured(20_000, [10, 8]);
    let mut project = shop(HALVES);
    let running = results(&project, &exposures, &events);

    for status in [CampaignStatus::Concluded, CampaignStatus::Archived] {
        Arc::make_mut(&mut project.campaigns[0]).status = status;
        let ended = results(&project, &exposures, &events);

        assert_eq!(ended.verdict.code, VerdictCode::Better);
        let advised = format!(
            "{} You can stop now: looking early did not bias this result.",
            ended.verdict.text
        );
        assert_eq!(running.verdict.text, advised);
    }
}

#[test]
fn a_verdict_says_once_that_no_metric_can_tell() {
    let project = with_metrics(
        "  - {key: orders, type: conversion, event: purchase}
  - {key: errors, type: conversion, event: error}",
        "{primary: [orders, errors]}",
    );

    let found = results(&project, &halves(2_000), &[]);

    assert_eq!(found.verdict.text, "Too early to say. Nothing can be said of `short` yet.");
}

#[test]
fn a_margin_is_told_as_the_document_has_it() {
    let project = with_metrics(
        "  - {key: orders, type: conversion, event: purchase}
  - {key: errors, type: conversion, event: error, good: down}",
        "{primary: [orders], guardrails: [{metric: errors, margin: 7%}]}",
    );
    let events = [done(20_000, "purchase", [10, 7]), done(20_000, "error", [40, 40])].concat();

    let found = results(&project, &halves(20_000), &events);

    let told =
        "The guardrail `errors` is not clear yet: `short` may make it worse by more than 7 %.";
    assert_eq!(found.verdict.guardrails, [told]);
}

#[test]
fn names_without_end_are_no_metrics_without_end_and_take_no_place_away() {
    let (exposures, mut events) = measured(2_000, [10, 8]);
    let made_up = (0..500).map(|one| event(one, 30, &format!("!{one:03}"), None));
    events.extend(made_up);
    let project = parsed("version: 1
project: {key: shop}
pages: [{key: home}]
campaigns:
  - {key: hero, type: ab_test, pages: [home], experiments: [{key: hero, variations: [{key: original, weight: 50%}, {key: short, name: Short text, weight: 50%}]}]}
");

    let found = results(&project, &exposures, &events);

    assert_eq!(found.metrics.len(), 50);
    assert_eq!((found.metrics[0].event.as_str(), found.metrics[0].is_primary), ("signup", true));
}
