//! Who won, by what was measured elsewhere.

mod arrivals;
mod bayesian;
mod day_by_day;
mod document_metrics;
mod guardrails;
mod length;
mod many_at_once;
mod plans;
mod segments;
mod suspects;
mod text;
mod verdicts;

use std::collections::BTreeMap;

use app::results::{
    Dataset, MetricKind, Results, ResultsError, VerdictCode, find_results, results_text,
};
use domain::{NoFiles, Project, Source, parse};
use events::{EventRow, ExposureRow, Millis, UserAgent};
use stats::NoFigure;

const HOUR: i64 = 3_600_000;

fn shop(weights: &str) -> Project {
    let text = format!(
        "version: 1
project: {{key: shop}}
pages: [{{key: home, name: Home}}]
events: [{{key: signup}}, {{key: purchase}}]
campaigns:
  - {{key: hero, name: Hero, type: ab_test, pages: [home], experiments: [{{key: hero, variations: {weights}}}]}}
"
    );
    parsed(&text)
}

fn parsed(text: &str) -> Project {
    parse(&Source { name: "shop.yaml", text, files: &NoFiles }).unwrap().project
}

const HALVES: &str = "[{key: original, weight: 50%}, {key: short, name: Short text, weight: 50%}]";

fn exposure(visitor: u32, hour: i64, variation: &str) -> ExposureRow {
    ExposureRow {
        visitor: visitor.to_string(),
        at: Millis(hour * HOUR),
        experiment: None,
        variation: variation.to_owned(),
        agent: UserAgent::default(),
        page: None,
        is_held_back: false,
    }
}

fn event(visitor: u32, hour: i64, name: &str, value: Option<&str>) -> EventRow {
    EventRow {
        visitor: visitor.to_string(),
        at: Millis(hour * HOUR),
        name: name.to_owned(),
        value: value.map(|text| text.parse().unwrap()),
        revenue: None,
        properties: BTreeMap::new(),
        id: None,
    }
}

/// Visitors who come one an hour to each variation in turn, of whom one in so many signs up.
fn measured(visitors: u32, one_in: [u32; 2]) -> (Vec<ExposureRow>, Vec<EventRow>) {
    let variation = |visitor: u32| usize::from(visitor % 2 == 1);
    let exposures = (0..visitors).map(|visitor| {
        exposure(visitor, i64::from(visitor) / 20, ["original", "Short text"][variation(visitor)])
    });
    let signs_up = |visitor: &u32| (*visitor / 2).is_multiple_of(one_in[variation(*visitor)]);
    let events = (0..visitors).filter(signs_up);
    let events = events.map(|visitor| event(visitor, i64::from(visitor) / 20 + 1, "signup", None));
    (exposures.collect(), events.collect())
}

fn with(event: EventRow, properties: &[(&str, &str)]) -> EventRow {
    let properties: BTreeMap<_, _> =
        properties.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let revenue = properties.get("revenue").map(|text| text.parse().unwrap());
    EventRow { revenue, properties, ..event }
}

fn halves(visitors: u32) -> Vec<ExposureRow> {
    let name = |visitor: u32| ["original", "short"][(visitor % 2) as usize];
    (0..visitors).map(|one| exposure(one, i64::from(one) / 20, name(one))).collect()
}

/// Each visitor does it of whom there is one in so many, by variation.
fn done(visitors: u32, name: &str, one_in: [u32; 2]) -> Vec<EventRow> {
    let does = |one: &u32| (*one / 2).is_multiple_of(one_in[(*one % 2) as usize]);
    let all = (0..visitors).filter(does);
    all.map(|one| event(one, i64::from(one) / 20, name, None)).collect()
}

fn results(project: &Project, exposures: &[ExposureRow], events: &[EventRow]) -> Results {
    find_results(project, "hero", &Dataset::of_rows(exposures, events)).unwrap().remove(0)
}

#[test]
fn a_variation_that_is_better_wins_and_every_count_is_right() {
    let (exposures, events) = measured(20_000, [10, 8]);

    let found = results(&shop(HALVES), &exposures, &events);

    assert_eq!(found.verdict.code, VerdictCode::Better, "{}", found.verdict.text);
    let sentence = "With `Short text`, between ";
    assert!(found.verdict.text.starts_with(sentence), "{}", found.verdict.text);
    let signup = &found.metrics[0];
    assert_eq!(
        (signup.event.as_str(), signup.kind, signup.is_primary),
        ("signup", MetricKind::Conversion, true)
    );
    let told: Vec<_> =
        signup.variations.iter().map(|arm| (arm.visitors, arm.total.to_string())).collect();
    assert_eq!(told, [(10_000, "1000".to_owned()), (10_000, "1250".to_owned())]);
    let short = signup.variations[1].comparison.as_ref().unwrap();
    let [lift, lower, upper] = short.lift.unwrap();
    assert!(
        (lift - 0.25).abs() < 1e-12 && 0.0 < lower && lower < lift && lift < upper,
        "{lift} {lower} {upper}"
    );
    assert_eq!((found.first_day.as_str(), found.last_day.as_str()), ("1970-01-01", "1970-02-11"));
    assert!(short.decided_on.as_ref().unwrap() < &found.last_day);
}

#[test]
fn variations_that_do_the_same_have_no_winner() {
    let (exposures, events) = measured(20_000, [10, 10]);

    let found = results(&shop(HALVES), &exposures, &events);

    assert_eq!(found.verdict.code, VerdictCode::TooEarly);
    let (text, known) = (&found.verdict.text, "Too early to say. With `Short text`, between ");
    assert!(text.starts_with(known) && text.contains(" fewer and "), "{text}");
}

#[test]
fn a_variation_that_loses_is_told_to_be_stopped() {
    let (exposures, events) = measured(20_000, [8, 12]);

    let found = results(&shop(HALVES), &exposures, &events);

    assert_eq!(found.verdict.code, VerdictCode::Worse, "{}", found.verdict.text);
    assert!(found.verdict.text.ends_with("You can stop it."), "{}", found.verdict.text);
}

#[test]
fn visitors_who_go_missing_are_an_alarm_and_no_result() {
    let (mut exposures, events) = measured(20_000, [10, 8]);
    exposures.retain(|row| row.variation == "original" || !row.visitor.ends_with('1'));

    let found = results(&shop(HALVES), &exposures, &events);

    assert_eq!(found.verdict.code, VerdictCode::SampleRatioMismatch);
    let ratio = &found.health.sample_ratio;
    assert_eq!((ratio.is_alarmed, ratio.alarmed_on.as_deref()), (true, Some("1970-01-03")));
    let right = results(
        &shop("[{key: original, weight: 5556}, {key: short, name: Short text, weight: 4444}]"),
        &exposures,
        &events,
    );
    assert!(!right.health.sample_ratio.is_alarmed, "these are the shares of the weights");
}

#[test]
fn visitors_of_a_variation_without_weight_are_told() {
    let (exposures, events) = measured(2_000, [10, 8]);
    let weights = "[{key: original, weight: 50%}, {key: short, name: Short text, weight: 0%}, {key: long, weight: 50%}]";

    let found = results(&shop(weights), &exposures, &events);

    assert_eq!(found.health.sample_ratio.without_weight, 1_000);
    let text = results_text(&found);
    assert!(text.contains("1,000 visitors were given a variation without weight"), "{text}");
    assert_eq!(results(&shop(HALVES), &exposures, &events).health.sample_ratio.without_weight, 0);
}

#[test]
fn rows_that_cannot_be_counted_are_left_out_and_reported() {
    let exposures = [
        exposure(1, 10, "original"),
        exposure(1, 5, "original"),
        exposure(2, 1, "short"),
        exposure(2, 2, "original"),
        exposure(3, 1, "shrt"),
        exposure(4, 1, "short"),
    ];
    let events = [
        event(1, 6, "purchase", Some("19.99")),
        event(1, 7, "purchase", Some("0.01")),
        event(4, 0, "purchase", Some("5")),
        event(2, 9, "purchase", Some("7")),
        event(5, 9, "purchase", None),
        event(6, 9, "video", None),
    ];

    let found = results(&shop(HALVES), &exposures, &events);

    let health = &found.health;
    let left_out =
        (health.mixed_visitors, health.unknown_variations, health.events_without_exposure);
    assert_eq!((left_out, health.unknown_variation.as_deref()), ((1, 1, Some(2)), Some("shrt")));
    let metrics: Vec<_> = found.metrics.iter().map(|one| (one.event.as_str(), one.kind)).collect();
    let (conversion, sum) = (MetricKind::Conversion, MetricKind::Sum);
    assert_eq!(
        metrics,
        [
            ("signup", conversion),
            ("purchase", conversion),
            ("purchase", sum),
            ("video", conversion)
        ]
    );
    let totals: Vec<_> = found.metrics[2]
        .variations
        .iter()
        .map(|arm| (arm.visitors, arm.total.to_string()))
        .collect();
    assert_eq!(
        totals,
        [(1, "20".to_owned()), (1, "0".to_owned())],
        "what was before the exposure does not count"
    );
    let comparison = found.metrics[2].variations[1].comparison.as_ref().unwrap();
    assert_eq!((comparison.difference, comparison.reason), (None, Some(NoFigure::TooFewVisitors)));
}

#[test]
fn names_that_are_not_there_are_told_with_those_that_are() {
    let project = shop(HALVES);
    let nothing = &Dataset::of_rows(&[exposure(1, 1, "Kurz")], &[]);

    let campaign = find_results(&project, "heroo", nothing).unwrap_err();
    let variation = find_results(&project, "hero", nothing).unwrap_err();
    let single = shop("[{key: only, weight: 100%}]");
    let alone = find_results(&single, "Hero", nothing).unwrap_err();

    assert_eq!(campaign.to_string(), "there is no campaign `heroo`, only `hero`");
    let told = "no exposure is to a variation of the experiment `hero`, which are `original`, `short`; they name `Kurz`";
    assert_eq!(variation.to_string(), told);
    assert_eq!(alone, ResultsError::OneVariation("hero".to_owned()));
}

#[test]
fn visitors_who_all_have_several_variations_are_told_and_not_said_to_have_none() {
    let mixed = [
        exposure(1, 1, "original"),
        exposure(1, 2, "short"),
        exposure(2, 1, "short"),
        exposure(2, 2, "original"),
    ];

    let none = find_results(&shop(HALVES), "hero", &Dataset::of_rows(&mixed, &[])).unwrap_err();
    let one = find_results(&shop(HALVES), "hero", &Dataset::of_rows(&mixed[..3], &[]));

    let told = "each visitor of the experiment `hero` was given several variations, and counts for none; hint: do the ids tell visitors apart?";
    assert_eq!(none.to_string(), told);
    assert!(one.is_ok(), "one visitor has one variation");
}
