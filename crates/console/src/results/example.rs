//! `GET /docs/results-example`: how results look, by the example of made-up visitors. Nothing but the visitors is made up: the page is computed as
//! any other.

use std::sync::LazyLock;

use app::results::{Dataset, Results, find_results};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use domain::{NoFiles, Source, parse};
use events::{EventRow, ExposureRow, Millis, UserAgent};
use web::FormTargets;

use super::Content;
use crate::page::page;

pub(crate) const PATH: &str = "/docs/results-example";

/// The first visitor comes on 1 November 2026.
const START: Millis = Millis(1_793_491_200_000);

/// Visitors come so many milliseconds after each other.
const EVERY: i64 = 100_000;

const VISITORS: u32 = 18_000;

const SHOP: &str = "version: 1
project: {key: shop}
pages: [{key: home}]
events: [{key: signup}, {key: purchase}, {key: refund}]
campaigns:
  - key: hero
    name: Hero text
    type: ab_test
    pages: [home]
    experiments:
      - key: hero
        name: Hero text
        variations: [{key: original, name: Original, weight: 50%}, {key: short, name: Short, weight: 50%}]
";

/// What visitors of the first and of the second variation do, in a thousand.
const RATES: [(&str, [u64; 2]); 3] =
    [("signup", [104, 131]), ("purchase", [41, 43]), ("refund", [4, 4])];

#[derive(Template)]
#[template(path = "results/example.html")]
struct ExamplePage<'c> {
    content: &'c str,
}

static CONTENT: LazyLock<String> = LazyLock::new(|| {
    let content = Content::of(&example());
    content.render().expect("writing to memory does not fail")
});

/// Shows the example.
pub(crate) async fn show() -> Response {
    let template = ExamplePage { content: &CONTENT };
    page(StatusCode::OK, &template, FormTargets::OwnPages)
}

fn example() -> Vec<Results> {
    let file = parse(&Source { name: "shop.yaml", text: SHOP, files: &NoFiles });
    let project = file.expect("the example is a project").project;
    let (exposures, events) = visitors();
    let measured = Dataset::of_rows(&exposures, &events);
    find_results(&project, "hero", &measured).expect("the example has visitors of both variations")
}

fn visitors() -> (Vec<ExposureRow>, Vec<EventRow>) {
    let (mut exposures, mut events) = (Vec::new(), Vec::new());
    for number in 0..VISITORS {
        let (visitor, at) = (number.to_string(), Millis(START.0 + i64::from(number) * EVERY));
        let is_short = drawn(number, 0) % 2 == 1;
        let variation = if is_short { "short" } else { "original" }.to_owned();
        let agent = UserAgent::default();
        exposures.push(ExposureRow {
            visitor: visitor.clone(),
            at,
            experiment: None,
            variation,
            agent,
            page: None,
            is_held_back: false,
        });
        for (salt, (name, [original, short])) in (1..).zip(RATES) {
            if drawn(number, salt) % 1000 < if is_short { short } else { original } {
                let is_paid = name == "purchase";
                let paid = is_paid.then(|| format!("{}.90", 12 + drawn(number, 9) % 60));
                let value = paid.and_then(|paid| paid.parse().ok());
                events.push(EventRow {
                    visitor: visitor.clone(),
                    at,
                    name: name.to_owned(),
                    value,
                    revenue: None,
                    properties: std::collections::BTreeMap::new(),
                    id: None,
                });
            }
        }
    }
    (exposures, events)
}

/// A number that looks drawn and is the same each time (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
fn drawn(visitor: u32, salt: u64) -> u64 {
    let seed = u64::from(visitor) << 8 | salt;
    let mut bits = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (bits ^ (bits >> 31)) >> 16
}

#[cfg(test)]
mod tests {
    use app::results::VerdictCode;

    use super::{CONTENT, example};

    #[test]
    fn the_example_has_a_winner_and_no_link_to_act() {
        let found = example().remove(0);

        assert_eq!(found.verdict.code, VerdictCode::Better, "{}", found.verdict.text);
        assert!(!found.health.sample_ratio.is_alarmed);
        assert!(CONTENT.contains("With <q>Short</q>, between ") && !CONTENT.contains("href="));
    }
}
