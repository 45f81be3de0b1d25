//! Whether what the metrics count comes at all, and from enough visitors.

use app::results::{Dataset, SilentMetric, find_results, results_text};

use super::{HALVES, done, event, halves, results, shop};

fn silent(metric: &str, variation: Option<&str>, visitors: u64) -> SilentMetric {
    let (metric, event) = (metric.to_owned(), metric.to_owned());
    SilentMetric { metric, event, variation: variation.map(str::to_owned), visitors }
}

#[test]
fn an_event_that_no_page_sends_is_missed_once_a_hundred_visitors_came() {
    let project = shop(HALVES);

    let few = results(&project, &halves(98), &done(98, "signup", [4, 4]));
    let many = results(&project, &halves(100), &done(100, "signup", [4, 4]));

    assert_eq!(few.health.silent_metrics, []);
    assert_eq!(many.health.silent_metrics, [silent("purchase", None, 100)]);
    let told = results_text(&many);
    let sentence = "Nothing came for `purchase` from all 100 visitors.";
    assert!(told.contains(sentence), "{told}");
}

#[test]
fn a_variation_that_takes_the_button_away_is_noticed() {
    let project = shop(HALVES);
    let of_the_original = |count: u32| -> Vec<_> {
        (0..count).map(|one| event(one * 2, i64::from(one) / 10, "signup", None)).collect()
    };

    let chance = results(&project, &halves(400), &of_the_original(9));
    let broken = results(&project, &halves(400), &of_the_original(10));

    let silent_of = |found: &app::results::Results| -> Vec<_> {
        let all = found.health.silent_metrics.iter();
        all.filter(|one| one.event == "signup").cloned().collect()
    };
    assert_eq!(silent_of(&chance), []);
    assert_eq!(silent_of(&broken), [silent("signup", Some("Short text"), 200)]);
}

#[test]
fn figures_of_few_are_called_rough() {
    let project = shop(HALVES);

    let [few, rare, enough] = [(198, 1), (2_000, 200), (2_000, 20)].map(|(visitors, one_in)| {
        let found = results(&project, &halves(visitors), &done(visitors, "signup", [one_in; 2]));
        found.health.sample
    });

    assert!(few.is_rough && few.sentence().unwrap().contains("has 99 visitors"), "{few:?}");
    let told =
        "A variation has 5 visitors who count for `signup`: figures of fewer than ten are rough.";
    assert_eq!(rare.sentence().as_deref(), Some(told));
    assert_eq!((enough.conversions, enough.sentence()), (Some(50.0), None));
}

#[test]
fn a_row_that_is_in_the_file_twice_is_told_and_counts_once() {
    let exposures = halves(200);
    let mut events = done(200, "signup", [2, 2]);
    for event in &mut events {
        event.id = Some(event.visitor.clone());
    }
    let twice = [events.clone(), events[..7].to_vec()].concat();

    let of = |events: &[_]| {
        find_results(&shop(HALVES), "hero", &Dataset::of_rows(&exposures, events))
            .unwrap()
            .remove(0)
    };
    let (once, twice) = (of(&events), of(&twice));

    assert_eq!((once.health.repeated_events, twice.health.repeated_events), (Some(0), Some(7)));
    assert_eq!(once.metrics, twice.metrics);
}
