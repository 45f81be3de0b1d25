//! What a question may tell of the visitor beside the browser: where they are, whether they are new, what they did, what was kept.

use serde_json::{Value, json};

use super::over_http::{Program, problem, visit_with};
use super::{SHOP, signed_in};
use crate::shop::publish_text;
use crate::site::{Site, encode};

/// A further campaign, and who it is for. Its own audiences are in order of what they ask.
const MORE: &str = r#"
  - id: "3003"
    key: told
    type: personalization
    status: running
    pages: [home]
    priorities: [[west], [others]]
    experiments:
      - {id: "4003", key: west, audiences: californian, variations: [{id: "5004", key: sun, name: Sun, weight: 10000}]}
      - {id: "4004", key: others, audiences: ["or", newcomer, buyer, looker, spring], variations: [{id: "5005", key: rain, name: Rain, weight: 10000}]}
audiences:
  - {id: "6001", key: californian, conditions: [{type: location, value: "US|CA"}]}
  - {id: "6002", key: newcomer, conditions: [{type: first_session}]}
  - {id: "6003", key: buyer, conditions: [{type: behavior, value: {event: add_to_cart, at_least: 2, within_days: 7}}]}
  - {id: "6004", key: looker, conditions: [{type: behavior, value: {page: checkout}}]}
  - {id: "6005", key: spring, conditions: [{type: campaign, match: exact, value: spring}]}
"#;

async fn program() -> Program {
    let program = Program::new().await;
    publish_text(&program.site, &format!("{SHOP}{MORE}")).await;
    program
}

/// Which of the audiences the visitor is in, by key.
fn met(answer: &Value) -> Vec<&str> {
    let audiences = answer["audiences"].as_array().unwrap().iter();
    audiences
        .filter(|each| each["is_met"] == true)
        .map(|each| each["key"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_campaign_that_asks_for_the_location_waits_for_it() {
    let program = program().await;

    for unknown in [json!({}), json!({"location": null})] {
        let mut visit = unknown;
        visit["visitor_id"] = json!("ada");
        visit["url"] = json!("https://shop.example/");
        let answer = program.ask(&visit).await.json();
        assert_eq!(answer["campaigns"][2]["is_decided"], false, "{visit}");
    }
    for (place, variation) in [
        (json!({"country": "US", "region": "CA"}), json!("sun")),
        (json!({"country": "US"}), Value::Null),
        (json!({}), Value::Null),
    ] {
        let answer = program.ask(&visit_with("location", place.clone())).await.json();
        assert_eq!(answer["campaigns"][2]["is_decided"], true, "{place}");
        assert_eq!(answer["campaigns"][2]["variation"]["key"], variation, "{place}");
    }
}

#[tokio::test]
async fn facts_about_the_visitor_decide_the_audiences() {
    let program = program().await;
    let cart = |days_ago: u32, times: u32| json!({"event": "add_to_cart", "days_ago": days_ago, "times": times});

    for (field, value, expected) in [
        ("first_session", json!(true), &["newcomer"][..]),
        ("first_session", json!(false), &[]),
        ("first_session", Value::Null, &[]),
        ("history", json!([cart(6, 2)]), &["buyer"]),
        ("history", json!([cart(0, 1), cart(6, 1)]), &["buyer"]),
        ("history", json!([cart(0, 1), cart(7, 1)]), &[]),
        ("history", json!([{"event": "add_to_cart"}]), &[]),
        ("history", json!([{"event": "checkout", "times": 2}]), &[]),
        ("history", json!([{"page": "checkout"}]), &["looker"]),
        ("history", json!([{"page": "2002", "days_ago": 364}]), &["looker"]),
        ("history", json!([{"page": "checkout", "days_ago": 365}]), &[]),
        ("remembered", json!({"campaign": "spring"}), &["spring"]),
        ("remembered", json!({"campaign": null}), &[]),
    ] {
        let answer = program.ask(&visit_with(field, value.clone())).await;
        assert_eq!(answer.status.as_u16(), 200, "{field}: {value}: {answer:?}");
        assert_eq!(met(&answer.json()), expected, "{field}: {value}");
    }
}

#[tokio::test]
async fn a_fault_in_a_visit_has_a_pointer_and_advice() {
    let program = program().await;

    for (field, value, pointer, detail) in [
        ("location", json!("US"), "#/location", "expected an object"),
        ("location", json!(["US", "CA"]), "#/location", "expected an object"),
        ("location", json!({"country": 5}), "#/location/country", "expected a text"),
        ("location", json!({"contry": "US"}), "#/location/contry", "did you mean `country`?"),
        ("first_session", json!("yes"), "#/first_session", "expected `true` or `false`"),
        ("first_session", json!(1), "#/first_session", "expected `true` or `false`"),
        ("history", json!({"event": "a"}), "#/history", "expected a list"),
        ("history", json!(["a"]), "#/history/0", "expected an object"),
        ("history", json!([["a", null, 1, 1]]), "#/history/0", "expected an object"),
        ("history", json!([{}]), "#/history/0", "either an `event` or a `page`"),
        (
            "history",
            json!([{"event": "a", "page": "home"}]),
            "#/history/0",
            "either an `event` or a `page`",
        ),
        ("history", json!([{"event": 5}]), "#/history/0/event", "expected a text"),
        (
            "history",
            json!([{"event": "a"}, {"event": "a", "times": -1}]),
            "#/history/1/times",
            "expected a whole number from 0",
        ),
        (
            "history",
            json!([{"event": "a", "days_ago": 1.5}]),
            "#/history/0/days_ago",
            "expected a whole number from 0",
        ),
        ("history", json!([{"evnt": "a"}]), "#/history/0/evnt", "did you mean `event`?"),
        ("history", json!([{"page": "hoem"}]), "#/history/0/page", "did you mean `home`?"),
        ("remembered", json!("spring"), "#/remembered", "expected an object"),
        ("remembered", json!(["spring"]), "#/remembered", "expected an object"),
        ("remembered", json!({"campaign": 1}), "#/remembered/campaign", "expected a text"),
        (
            "remembered",
            json!({"campain": "spring"}),
            "#/remembered/campain",
            "did you mean `campaign`?",
        ),
    ] {
        let (status, errors) = problem(&program.ask(&visit_with(field, value.clone())).await);

        assert_eq!((status, errors[0].0.as_str()), (422, pointer), "{field}: {value}: {errors:?}");
        assert!(errors[0].1.contains(detail), "{field}: {value}: {errors:?}");
    }
}

#[tokio::test]
async fn a_member_says_in_the_console_where_the_visitor_is() {
    let site = Site::start();
    let browser = signed_in(&site).await;
    publish_text(&site, &format!("{SHOP}{MORE}")).await;
    let address = |location: &str| {
        let fields =
            [("visitor_id", "ada"), ("url", "https://shop.example/"), ("location", location)];
        format!("/projects/1000/decide?{}", encode(&fields))
    };

    let empty = browser.open(&address("")).await;
    let told = browser.open(&address("US|CA")).await;
    let elsewhere = browser.open(&address("DE")).await;
    let too_much = browser.open(&address("US|CA|SANFRANCISCO|NA|807|94103")).await;

    assert!(empty.body.contains("<label for=\"location\">Location</label>"), "{}", empty.body);
    assert!(empty.body.contains("ask for the visitor&#39;s location"), "{}", empty.body);
    assert!(told.body.contains("Sees <code>Sun</code>"), "{}", told.body);
    assert!(told.body.contains("value=\"US|CA\""), "what was typed stays");
    assert!(!elsewhere.body.contains("Sees <code>Sun</code>"), "{}", elsewhere.body);
    assert_eq!(too_much.status.as_u16(), 422);
    let field = too_much.body.split("id=\"location\"").nth(1).unwrap();
    for shown in ["aria-invalid=\"true\"", "country|region|city|continent|dma"] {
        assert!(field.contains(shown), "{shown} in {field}");
    }
}
