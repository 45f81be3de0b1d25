//! A program tries conditions before it saves them, as the console's forms do.

use std::future::{poll_fn, ready};
use std::pin::Pin;
use std::task::Poll;

use app::{App, Overloaded, Turn, Work};
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{Program, SHOP};

fn cart() -> Value {
    json!({"name": "Cart", "conditions": ["or", {"type": "url", "match": "simple", "value": "https://shop.example/cart"}]})
}

#[tokio::test]
async fn a_page_that_is_not_saved_is_tried_on_addresses() {
    let program = Program::with_hero().await;
    let before = program.get(SHOP).await.json();
    let addresses =
        json!(["https://www.shop.example/cart?step=2", "https://shop.example/", "cart"]);
    let request = json!({"page": cart(), "addresses": addresses});

    let tried = program.post(&format!("{SHOP}/try-page"), request).await.json();

    let said: Vec<_> =
        tried["addresses"].as_array().unwrap().iter().map(|one| &one["is_active"]).collect();
    assert_eq!(said, [&json!(true), &json!(false), &json!(null)], "{tried}");
    assert_eq!(tried["addresses"][2]["address"], "cart");
    assert!(tried["addresses"][2]["why"].as_str().unwrap().contains("address"), "{tried}");
    assert_eq!(program.get(SHOP).await.json(), before);
}

#[tokio::test]
async fn an_audience_that_is_not_saved_is_tried_on_a_visit() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/try-audience");
    let whom = |condition: Value| json!({"name": "Some", "conditions": ["and", condition]});
    let visit = json!({"visitor_id": "ada", "url": "https://shop.example/", "language": "de-AT"});
    let said = async |condition: Value| {
        let request = json!({"audience": whom(condition), "visit": visit});
        program.post(&path, request).await.json()["is_met"].clone()
    };

    assert_eq!(said(json!({"type": "language", "value": "de"})).await, true);
    assert_eq!(said(json!({"type": "language", "value": "fr"})).await, false);
    assert_eq!(said(json!({"type": "custom_code", "value": "return true"})).await, Value::Null);
}

#[tokio::test]
async fn a_saved_page_or_audience_can_be_tried_as_the_api_returns_it() {
    let program = Program::with_shop().await;
    let german = json!({"type": "language", "value": "de"});
    let page = program.created("pages", cart()).await;
    let audience = program
        .created("audiences", json!({"name": "German", "conditions": ["and", german]}))
        .await;
    let visit = json!({"visitor_id": "ada", "url": "https://shop.example/", "language": "de-AT"});

    let request = json!({"page": page, "addresses": ["https://shop.example/cart"]});
    let of_page = program.post(&format!("{SHOP}/try-page"), request).await;
    let request = json!({"audience": audience, "visit": visit});
    let of_audience = program.post(&format!("{SHOP}/try-audience"), request).await;

    assert_eq!(of_page.json()["addresses"][0]["is_active"], true, "{}", of_page.body);
    assert_eq!(of_audience.json()["is_met"], true, "{}", of_audience.body);
}

#[tokio::test]
async fn a_trial_that_cannot_run_has_pointers_to_its_faults() {
    let program = Program::with_hero().await;
    let (page, audience) = (format!("{SHOP}/try-page"), format!("{SHOP}/try-audience"));
    let visit = json!({"visitor_id": "ada", "url": "https://shop.example/", "attributes": {"plna": "gold"}});
    let wrong = json!({"name": "Cart", "conditions": ["or", {"type": "url", "match": "like", "value": "x"}]});
    let many: Vec<_> = (0..101).map(|number| format!("https://shop.example/{number}")).collect();

    for (path, body, pointer) in [
        (&page, json!({"page": wrong, "addresses": []}), "#/page/conditions/1/match"),
        (&page, json!({"page": cart(), "addresses": many}), "#/addresses"),
        (&page, json!({"page": 1, "addresses": []}), "#/page"),
        (&audience, json!({"audience": {"name": "A"}, "visit": visit}), "#/visit/attributes/plna"),
        (
            &audience,
            json!({"audience": {"name": "A"}, "visit": {"visitor_id": "a", "url": "x"}}),
            "#/visit/url",
        ),
    ] {
        let refused = program.post(path, body.clone()).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
        assert_eq!(refused.json()["errors"][0]["pointer"], pointer, "{}", refused.body);
    }
    let unknown =
        program.post("/v1/projects/77/try-page", json!({"page": cart(), "addresses": []})).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

/// What a browser finds in milliseconds, and an automaton in a second.
fn costly(asked: &Value, conditions: u32) -> Value {
    let all = (0..conditions).map(|number| {
        let mut condition = asked.clone();
        condition["match"] = json!("regex");
        condition["value"] = json!(format!("[ac]{{1,{}}}b", 9_000 + number));
        condition
    });
    json!({"name": "Costly", "conditions": std::iter::once(json!("or")).chain(all).collect::<Value>()})
}

fn address() -> Value {
    json!({"type": "url"})
}

fn long(number: u32) -> String {
    format!("https://shop.example/?n={number}&q={}", "a".repeat(1_900))
}

#[tokio::test]
async fn a_trial_whose_regular_expressions_take_too_long_says_so() {
    let program = Program::with_hero().await;
    let addresses: Vec<_> = (0..100).map(long).collect();
    let visit = json!({"visitor_id": "ada", "url": long(0)});
    // Another one would take seconds to check.
    let checked = json!({"type": "url", "match": "regex", "value": "(?:abcdq){100}y"});
    let checked = json!({"name": "Checked", "conditions": ["or", checked, checked]});
    let short = ["https://x.example/"];
    let query = json!({"type": "query", "name": "q"});

    for (path, body, named) in [
        ("try-page", json!({"page": costly(&address(), 6), "addresses": addresses}), "9005}b"),
        ("try-page", json!({"page": costly(&address(), 12), "addresses": short}), "9011}b"),
        ("try-page", json!({"page": checked, "addresses": []}), "(?:abcdq){100}y"),
        ("try-audience", json!({"audience": costly(&query, 6), "visit": visit}), "9005}b"),
    ] {
        let refused = program.post(&format!("{SHOP}/{path}"), body).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
        let problem = refused.json();
        assert_eq!(problem["code"], "too_costly", "{path}: {problem}");
        assert!(problem["detail"].as_str().unwrap().contains(named), "{problem}");
    }
}

#[tokio::test]
async fn a_trial_whose_reasons_are_endless_says_so() {
    let program = Program::with_hero().await;
    let asked = json!({"type": "query", "name": "q", "match": "substring", "value": "z"});
    let conditions = std::iter::once(json!("or")).chain((0..100).map(|_| asked.clone()));
    let audience = json!({"name": "A", "conditions": conditions.collect::<Value>()});
    let url = format!("https://shop.example/?q={}", "a".repeat(400_000));
    let request = json!({"audience": audience, "visit": {"visitor_id": "ada", "url": url}});

    let refused = program.post(&format!("{SHOP}/try-audience"), request).await;

    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.json()["code"], "too_costly", "{}", refused.body);
}

#[tokio::test]
async fn a_costly_page_is_published_and_decided_about_as_far_as_that_goes() {
    let program = Program::with_hero().await;
    program.created("pages", costly(&address(), 20)).await;
    let published = program.publish("").await;
    let visit = |url: &str| json!({"visitor_id": "ada", "url": url});
    let path = format!("{SHOP}/decide");

    let short = program.post(&path, visit("https://shop.example/")).await;
    let refused = program.post(&path, visit(&long(0))).await;

    assert_eq!(published.status, StatusCode::CREATED, "{}", published.body);
    assert_eq!(short.status, StatusCode::OK, "{}", short.body);
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
    assert_eq!(refused.json()["code"], "too_costly");
}

/// All turns that there are for decisions, and all places of those who wait for one.
async fn take_all_turns(app: &App) -> Vec<Pin<Box<dyn Future<Output = Result<Turn, Overloaded>>>>> {
    let mut taken: Vec<Pin<Box<dyn Future<Output = _>>>> = Vec::new();
    loop {
        let app = app.clone();
        let mut turn: Pin<Box<dyn Future<Output = _>>> =
            Box::pin(async move { app.turn(Work::Decision).await });
        match poll_fn(|context| Poll::Ready(turn.as_mut().poll(context))).await {
            Poll::Ready(Err(Overloaded)) => return taken,
            Poll::Ready(Ok(got)) => taken.push(Box::pin(ready(Ok(got)))),
            Poll::Pending => taken.push(turn),
        }
    }
}

#[tokio::test]
async fn decisions_and_trials_wait_for_a_turn_and_nothing_else_waits_for_them() {
    let program = Program::with_hero().await;
    assert_eq!(program.publish("").await.status, StatusCode::CREATED);
    let visit = json!({"visitor_id": "ada", "url": "https://shop.example/"});
    let asked = [
        ("try-page", json!({"page": cart(), "addresses": ["https://shop.example/"]})),
        ("try-audience", json!({"audience": {"name": "A"}, "visit": visit})),
        ("decide", visit.clone()),
    ];

    let taken = take_all_turns(&program.site.app).await;

    for (path, body) in &asked {
        let refused = program.post(&format!("{SHOP}/{path}"), body.clone()).await;
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{path}: {}", refused.body);
        let told = (&refused.json()["code"], refused.header("retry-after"));
        assert_eq!(told, (&json!("overloaded"), "1"), "{path}");
    }
    let renamed = program.patch(&format!("{SHOP}/campaigns/3001"), json!({"name": "New"})).await;
    assert_eq!(renamed.status, StatusCode::OK, "{}", renamed.body);
    assert_eq!(program.site.get("/js/1000.js").await.status, StatusCode::OK);
    drop(taken);
    for (path, body) in asked {
        let answered = program.post(&format!("{SHOP}/{path}"), body).await;
        assert_eq!(answered.status, StatusCode::OK, "{path}: {}", answered.body);
    }
}
