//! Bayesian plans: probabilities and expected losses, and what is decided by them.

use app::results::{
    ComparisonResult, ComparisonVerdict, Dataset, IntervalMethod, PosteriorReport, Results,
    SegmentBy, VerdictCode, find_results, results_csv, results_text,
};
use domain::{NoFiles, Source, parse};
use events::{Device, EventRow, ExposureRow, UserAgent};
use stats::NoFigure;

use super::plans::{planned, planned_and_split};
use super::{event, exposure, measured};

fn posteriors(found: &Results) -> Vec<PosteriorReport> {
    found.metrics[0].variations.iter().map(|arm| arm.posterior.unwrap()).collect()
}

fn compared(found: &Results, metric: usize) -> &ComparisonResult {
    found.metrics[metric].variations[1].comparison.as_ref().unwrap()
}

#[test]
fn a_winner_is_told_with_its_probability_and_what_looking_does() {
    let found = planned("{method: bayesian}", measured(9_600, [10, 8]));

    assert_eq!((found.method, found.verdict.code), (IntervalMethod::Bayesian, VerdictCode::Better));
    let [control, short] = posteriors(&found)[..] else { panic!("{found:?}") };
    assert!((control.probability_best + short.probability_best - 1.0).abs() < 1e-9);
    assert_eq!(control.chance_to_beat_control, None);
    assert!((short.chance_to_beat_control.unwrap() - short.probability_best).abs() < 1e-9);
    assert!(short.probability_best > 0.99, "{short:?}");
    let [kept, taken] = [control, short].map(|one| one.expected_loss.unwrap());
    assert!(kept > 0.15 && taken < 0.0001 && short.is_low_risk && !control.is_low_risk);
    let comparison = compared(&found, 0);
    let [lift, lower, upper] = comparison.lift.unwrap();
    // A quarter more, drawn a little towards nothing by what is believed before.
    assert!(0.22 < lift && lift < 0.25 && 0.0 < lower && lower < lift && lift < upper);
    assert_eq!(comparison.p_value, None, "there is no evidence in that sense");
    assert!(comparison.decided_on.as_ref().unwrap() < &found.last_day);
    let text = &found.verdict.text;
    assert!(text.contains(" It is better with a probability of more than 99.9 %. You can stop by the rule of the plan; the more often you look, the likelier a winner is a false one."), "{text}");
    assert!(!text.contains("looking early did not bias"), "{text}");
    let plan = found.plan.as_ref().unwrap();
    assert_eq!((plan.tolerated_loss, plan.prior_deviation), (Some(0.0025), Some(0.3)));
}

#[test]
fn other_methods_tell_no_probabilities() {
    let found = planned("{until: 2026-02-10}", measured(960, [10, 8]));

    assert!(found.metrics[0].variations.iter().all(|arm| arm.posterior.is_none()));
    assert_eq!(found.plan.unwrap().tolerated_loss, None);
}

#[test]
fn swapped_variations_mirror_everything() {
    let there = planned("{method: bayesian}", measured(2_400, [10, 8]));
    let back = planned("{method: bayesian}", measured(2_400, [8, 10]));

    let (there, back) = (posteriors(&there), posteriors(&back));
    for (one, other) in [(there[0], back[1]), (there[1], back[0])] {
        assert!((one.probability_best - other.probability_best).abs() < 1e-9, "{one:?} {other:?}");
    }
}

#[test]
fn a_variation_with_a_tolerated_loss_can_be_taken_without_a_winner() {
    let same = measured(9_600, [10, 10]);
    let early = planned("{method: bayesian}", same.clone());
    let tolerant = planned("{method: bayesian, max_loss: 5%}", same.clone());
    let over = planned("{method: bayesian, max_loss: 5%, until: 2026-01-10}", same);
    let better = planned("{method: bayesian, max_loss: 1%}", measured(4_800, [10, 9]));

    assert_eq!(early.verdict.code, VerdictCode::TooEarly, "{}", early.verdict.text);
    let text = "Too early to say. With `Short text`, `signups` is between ";
    assert!(early.verdict.text.starts_with(text), "{}", early.verdict.text);
    assert_eq!(tolerant.verdict.code, VerdictCode::LowRisk);
    let text = &tolerant.verdict.text;
    let begin =
        "No variation is known to be better, but little is at stake: keeping `original` loses 2.";
    assert!(text.starts_with(begin) && text.ends_with(" You can stop with it."), "{text}");
    assert_eq!(tolerant.verdict.variation.as_ref(), Some(&tolerant.variations[0].id));
    assert!(over.verdict.text.ends_with(" The plan is over."), "{}", over.verdict.text);
    assert_eq!(better.verdict.code, VerdictCode::LowRisk, "{}", better.verdict.text);
    assert_eq!(better.verdict.variation.as_ref(), Some(&better.variations[1].id));
}

#[test]
fn nothing_is_decided_before_the_visitors_of_the_planned_effect() {
    let visitors = measured(9_600, [10, 7]);
    let waits = planned("{effect: 15%, method: bayesian}", visitors.clone());
    let came = planned("{effect: 30%, method: bayesian}", visitors.clone());
    let whenever = planned("{method: bayesian}", visitors);

    let plan = waits.plan.as_ref().unwrap();
    assert!(plan.needed_visitors.unwrap() > 9_600 && plan.shows_by.is_some(), "{plan:?}");
    let text = "Too early: at today's traffic a 15 % effect shows by ";
    assert!(waits.verdict.text.starts_with(text), "{}", waits.verdict.text);
    assert!(posteriors(&waits)[1].probability_best > 0.99, "figures are there all the same");
    let plan = came.plan.as_ref().unwrap();
    assert!(plan.needed_visitors.unwrap() < 9_600, "{plan:?}");
    assert_eq!((plan.ended_on.as_ref(), plan.shows_by.as_ref()), (None, None), "it goes on");
    assert_eq!(came.verdict.code, VerdictCode::Better, "{}", came.verdict.text);
    let decided_on = |found: &Results| compared(found, 0).decided_on.clone().unwrap();
    assert!(decided_on(&whenever) < decided_on(&came));
}

#[test]
fn the_last_day_of_the_plan_is_the_last_that_counts() {
    let visitors = measured(9_600, [10, 10]);
    let whole = planned("{until: 2026-01-10, method: bayesian}", visitors.clone());
    let effect = planned("{until: 2026-01-10, effect: 1%, method: bayesian}", visitors);

    let visitors: u64 = whole.variations.iter().map(|one| one.visitors).sum();
    assert_eq!((visitors, whole.last_day.as_str()), (4_800, "2026-01-10"));
    for found in [whole, effect] {
        let text = "The plan ended on 10 January, and nothing is clear. With `Short text`, ";
        assert_eq!(found.verdict.code, VerdictCode::Inconclusive);
        assert!(found.verdict.text.starts_with(text), "{}", found.verdict.text);
    }
}

#[test]
fn shares_that_are_wrong_come_before_every_belief() {
    let (exposures, events) = measured(9_600, [10, 5]);
    let is_left = |row: &ExposureRow| {
        row.variation == "original" || !row.visitor.parse::<u32>().unwrap().is_multiple_of(3)
    };
    let exposures = exposures.into_iter().filter(is_left).collect();

    let found = planned("{method: bayesian}", (exposures, events));

    assert_eq!(found.verdict.code, VerdictCode::SampleRatioMismatch, "{}", found.verdict.text);
}

#[test]
fn a_metric_without_figures_says_why() {
    let (exposures, _) = measured(40, [1, 1]);

    let nobody = planned("{method: bayesian}", (exposures, Vec::new()));

    let comparison = compared(&nobody, 0);
    assert_eq!((comparison.lift, comparison.reason), (None, Some(NoFigure::ZeroVariance)));
    assert!(nobody.metrics[0].variations.iter().all(|arm| arm.posterior.is_none()));
    assert_eq!(nobody.verdict.code, VerdictCode::TooEarly);
}

#[test]
fn a_segment_has_the_credible_interval_of_its_visitors_alone_and_no_verdict() {
    let has_phone = |row: &ExposureRow| row.visitor.parse::<u32>().unwrap().is_multiple_of(3);
    let (mut exposures, events) = measured(9_600, [10, 8]);
    for row in &mut exposures {
        let device = if has_phone(row) { Device::Mobile } else { Device::Desktop };
        row.agent = UserAgent { browser: None, device: Some(device) };
    }
    let with_phones: Vec<_> = exposures.iter().filter(|row| has_phone(row)).cloned().collect();
    let plan = "{method: bayesian}";

    let split =
        planned_and_split(plan, (exposures.clone(), events.clone()), Some(SegmentBy::Device));
    let alone = planned(plan, (with_phones, events.clone()));

    assert_eq!(split.verdict, planned(plan, (exposures, events)).verdict);
    let segments = split.segments.unwrap();
    let told = " The credible intervals are not corrected for the 2 comparisons of each metric.";
    assert!(segments.text.contains(told), "{}", segments.text);
    let [_, phones] = segments.segments.as_slice() else { panic!("{:?}", segments.segments) };
    let of_phones = phones.metrics[0].variations[1].comparison.as_ref().unwrap();
    let of_alone = compared(&alone, 0);
    assert!(of_phones.lift.is_some());
    assert_eq!(
        (phones.segment, of_phones.lift, of_phones.difference),
        ("mobile", of_alone.lift, of_alone.difference)
    );
}

/// Three variations with metrics of several kinds; each visitor was there before, and does so again.
fn three_variations() -> Results {
    let text = "version: 1
project: {key: shop}
pages: [{key: home}]
events: [{key: visit}, {key: order}, {key: error}]
metrics:
  - {key: visits, type: count, event: visit, covariate: 14d}
  - {key: value, type: ratio, event: order, value: revenue, per: {event: order}}
  - {key: slow, type: quantile, event: order, value: revenue, quantile: 50%}
  - {key: errors, type: conversion, event: error, good: down}
campaigns:
  - key: hero
    type: ab_test
    pages: [home]
    metrics: {primary: [visits], secondary: [value, slow], guardrails: [{metric: errors, margin: 20%}]}
    plan: {method: bayesian}
    experiments: [{key: hero, variations: [{key: a, weight: 33.34%}, {key: b, weight: 33.33%}, {key: c, weight: 33.33%}]}]
";
    let source = Source { name: "shop.yaml", text, files: &NoFiles };
    let project = parse(&source).unwrap().project;
    let names = ["a", "b", "c"];
    let (mut exposures, mut events) = (Vec::new(), Vec::<EventRow>::new());
    for visitor in 0..6_000_u32 {
        let (arm, hour) = ((visitor % 3) as usize, 400 + i64::from(visitor) / 20);
        exposures.push(exposure(visitor, hour, names[arm]));
        let before = visitor / 3 % 4;
        for nth in 0..before {
            events.push(event(visitor, hour - 2 - i64::from(nth), "visit", None));
        }
        let more = u32::from((visitor / 3).is_multiple_of([5, 5, 2][arm]));
        for nth in 0..before + more {
            events.push(event(visitor, hour + 1 + i64::from(nth), "visit", None));
        }
        if (visitor / 3).is_multiple_of([6, 6, 5][arm]) {
            let cents = (10 + visitor % 17).to_string().parse().unwrap();
            events
                .push(EventRow { revenue: Some(cents), ..event(visitor, hour + 1, "order", None) });
        }
        if (visitor / 3).is_multiple_of([20, 10, 21][arm]) {
            events.push(event(visitor, hour + 1, "error", None));
        }
    }
    find_results(&project, "hero", &Dataset::of_rows(&exposures, &events)).unwrap().remove(0)
}

#[test]
fn past_visits_ratios_and_guardrails_are_believed_too() {
    let found = three_variations();

    let sums = found.metrics.iter().map(|metric| {
        let posteriors = metric.variations.iter().filter_map(|arm| arm.posterior);
        posteriors.map(|one| one.probability_best).sum::<f64>()
    });
    for (metric, sum) in found.metrics.iter().zip(sums) {
        let expected = if metric.quantile.is_some() { 0.0 } else { 1.0 };
        assert!((sum - expected).abs() < 1e-9, "{}: {sum}", metric.event);
    }
    assert_eq!(found.verdict.code, VerdictCode::Better, "{}", found.verdict.text);
    assert_eq!(found.verdict.variation.as_ref(), Some(&found.variations[2].id));
    assert_eq!(compared(&found, 2).reason, Some(NoFigure::OneLookOnly));
    let guardrail = &found.metrics[3].variations;
    let words = guardrail[1..].iter().map(|arm| arm.comparison.as_ref().unwrap().decided);
    assert_eq!(
        words.collect::<Vec<_>>(),
        [ComparisonVerdict::Worse, ComparisonVerdict::Inconclusive]
    );
    let [sentence] = found.verdict.guardrails.as_slice() else { panic!("{:?}", found.verdict) };
    assert!(
        sentence.starts_with("The guardrail `errors` is not clear yet: `c` may "),
        "{sentence}"
    );
}

#[test]
fn a_terminal_and_a_spreadsheet_have_all_figures() {
    let found = three_variations();

    let table = results_csv([&found]);

    let text = results_text(&found);
    for part in [
        "inconclusive; best: ",
        "better; best: more than 99.9 %, loses 0.00 %\n",
        "\nBayesian: an interval holds the effect with a probability of 95 %, given the data",
        "This is not always valid: looking often finds winners that are none.\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let head = table.lines().next().unwrap();
    let names = ",probability_best,chance_to_beat_control,expected_loss,segment_by,segment,interval_confidence,deviation";
    assert!(head.ends_with(names), "{head}");
    let cells = |line: usize| -> Vec<String> {
        table.lines().nth(line).unwrap().split(',').map(str::to_owned).collect()
    };
    assert!(cells(1)[30].is_empty(), "the control does not beat itself: {table}");
    let best: f64 = cells(3)[29].parse().unwrap();
    assert!(best > 0.99 && cells(3)[22] == "bayesian", "{table}");
}
