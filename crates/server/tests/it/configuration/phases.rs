//! `POST …/experiments/{id}/phases`.

use axum::http::StatusCode;
use serde_json::json;

use super::{Program, SHOP, pointers};

#[tokio::test]
async fn a_new_phase_is_created_with_what_visitors_notice_of_it() {
    let program = Program::with_hero().await;
    program.act("start").await;
    let path = format!("{SHOP}/experiments");
    let experiment = program.get(&path).await.json()[0]["id"].as_str().unwrap().to_owned();
    let phases = format!("{path}/{experiment}/phases");
    let weight = |key: &str| json!({"variations": [{"key": key, "weight": 1000}]});

    let wrong = program.post(&phases, weight("shrt")).await;
    let phase = program.post(&phases, weight("short")).await;

    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", wrong.body);
    assert_eq!(pointers(&wrong), ["#/variations/0/key"]);
    assert_eq!(phase.status, StatusCode::CREATED, "{}", phase.body);
    let text = phase.json()["visitors"][0]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("all visitors are drawn anew"), "{text}");
    let now = program.get(&format!("{path}/{}", phase.json()["id"].as_str().unwrap())).await;
    assert_eq!(now.header("etag"), phase.header("etag"));
}
