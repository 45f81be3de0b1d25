//! Where a mismatch of the shares comes from.

use app::results::{Suspect, results_text};
use events::ExposureRow;

use super::{HALVES, measured, results, shop};

const REDIRECTS: &str = "[{key: original, weight: 50%}, {key: short, name: Short text, weight: 50%, changes: [{type: redirect, destination: 'https://shop.example/short'}]}]";
const DAY: i64 = 86_400_000;

/// Visitors of 41 days, a fifth of whom went missing in the second variation on some of the days.
fn lossy(is_lossy: impl Fn(i64) -> bool) -> Vec<ExposureRow> {
    let (mut exposures, _) = measured(20_000, [10, 10]);
    exposures.retain(|row| {
        let is_lost = row.variation != "original" && row.visitor.ends_with('1');
        !(is_lost && is_lossy(row.at.0 / DAY))
    });
    exposures
}

fn suspects(variations: &str, exposures: &[ExposureRow]) -> Vec<Suspect> {
    let found = results(&shop(variations), exposures, &[]);
    let ratio = found.health.sample_ratio;
    assert!(ratio.is_alarmed || ratio.suspects.is_empty(), "there are suspects without an alarm");
    ratio.suspects
}

fn stretch([first_day, last_day]: [&str; 2]) -> Suspect {
    Suspect::Days { first_day: first_day.to_owned(), last_day: last_day.to_owned() }
}

#[test]
fn a_mismatch_that_began_on_a_day_is_of_the_days_since() {
    let found = suspects(HALVES, &lossy(|day| day >= 15));

    assert_eq!(found, [stretch(["1970-01-16", "1970-02-11"])]);
}

#[test]
fn a_mismatch_that_was_mended_is_of_the_days_between() {
    let found = suspects(HALVES, &lossy(|day| (10..25).contains(&day)));

    assert_eq!(found, [stretch(["1970-01-11", "1970-01-25"])]);
}

#[test]
fn a_mismatch_of_all_days_is_of_none() {
    assert_eq!(suspects(HALVES, &lossy(|_| true)), []);
}

#[test]
fn without_an_alarm_nothing_is_suspected() {
    assert_eq!(suspects(REDIRECTS, &lossy(|_| false)), []);
    assert_eq!(suspects(REDIRECTS, &lossy(|day| day == 7)), []);
}

#[test]
fn a_redirect_that_loses_visitors_is_named_with_how_many() {
    let exposures = lossy(|_| true);

    let found = results(&shop(REDIRECTS), &exposures, &[]);

    let [Suspect::Redirect { name, visitors, expected_visitors, .. }] =
        found.health.sample_ratio.suspects.as_slice()
    else {
        panic!("{:?}", found.health.sample_ratio.suspects);
    };
    assert_eq!(
        (name.as_str(), *visitors, expected_visitors.to_string()),
        ("Short text", 8_000, "9000".to_owned())
    );
    let told = "Short text redirects and has 8000 visitors where its weight promises 9000: it may lose them on the way.";
    assert!(results_text(&found).contains(told), "{}", results_text(&found));
}

#[test]
fn a_redirect_to_which_visitors_came_is_not_suspected() {
    let mut exposures = lossy(|_| true);
    for row in &mut exposures {
        let other = if row.variation == "original" { "Short text" } else { "original" };
        other.clone_into(&mut row.variation);
    }

    assert_eq!(suspects(REDIRECTS, &exposures), []);
}
