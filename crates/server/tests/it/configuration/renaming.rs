//! A key is changed, and whatever refers to it goes on to mean the same.

use axum::http::StatusCode;
use serde_json::json;

use super::{Program, SHOP, hero};

/// An audience that asks for an attribute, another one that asks for that audience and for a page, and a campaign for both.
async fn with_audiences() -> Program {
    let program = Program::with_shop().await;
    program.created("attributes", json!({"id": "7001", "key": "plan"})).await;
    let paying = json!(["or", {"type": "custom_attribute", "name": "plan", "value": "pro"}]);
    program
        .created("audiences", json!({"id": "6001", "key": "paying", "conditions": paying}))
        .await;
    let both = json!(["and", {"audience": "paying"}, ["not", {"type": "behavior", "value": {"page": "home"}}]]);
    program.created("audiences", json!({"id": "6002", "key": "both", "conditions": both})).await;
    let mut campaign = hero("3001", "hero");
    campaign["experiments"][0]["audiences"] = json!(["or", "both"]);
    program.created("campaigns", campaign).await;
    program
}

#[tokio::test]
async fn what_audiences_ask_for_is_found_under_its_new_key() {
    let program = with_audiences().await;

    for (path, key) in [
        ("attributes/7001", "tariff"),
        ("pages/2001", "start"),
        ("audiences/6001", "customers"),
        ("audiences/6002", "all"),
    ] {
        let renamed = program.patch(&format!("{SHOP}/{path}"), json!({"key": key})).await;
        assert_eq!(renamed.status, StatusCode::OK, "{path}: {}", renamed.body);
    }

    let document = program.get(&format!("{SHOP}/document")).await.json();
    assert_eq!(document["audiences"][0]["conditions"][1]["name"], "tariff");
    assert_eq!(document["audiences"][1]["conditions"][1]["audience"], "customers");
    assert_eq!(document["audiences"][1]["conditions"][2][1]["value"]["page"], "start");
    let audience = program.get(&format!("{SHOP}/audiences/6002")).await.json();
    assert_eq!(audience["conditions"][1], json!({"audience": "6001"}));
    assert_eq!(audience["conditions"][2][1]["value"]["page"], "2001");
    assert_eq!(program.act("start").await.status, StatusCode::OK);
    assert!(program.snippet().await.contains("tariff"));
}

#[tokio::test]
async fn a_renamed_audience_goes_live_beside_campaigns_that_know_its_old_key() {
    let program = with_audiences().await;
    program.act("start").await;
    program.patch(&format!("{SHOP}/audiences/6001"), json!({"key": "customers"})).await;
    let mut offer = hero("3002", "offer");
    offer["experiments"][0]["audiences"] = json!("customers");
    program.created("campaigns", offer).await;

    let started =
        program.post(&format!("{SHOP}/campaigns/3002/actions"), json!({"action": "start"})).await;

    assert_eq!(started.status, StatusCode::OK, "{}", started.body);
}
