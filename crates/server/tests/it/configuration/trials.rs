//! A program tries conditions before it saves them, as the console's forms do.

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
