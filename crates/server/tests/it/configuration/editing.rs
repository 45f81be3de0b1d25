//! A client that changes a resource names the state it has seen.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::json;

use super::{Program, SHOP};

#[tokio::test]
async fn a_change_needs_the_state_that_it_changes() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/campaigns/3001");

    let blind = program.send(Method::PATCH, &path, &[], Body::from("{\"holdback\": 1}")).await;

    assert_eq!(blind.status, StatusCode::PRECONDITION_REQUIRED);
    assert_eq!(program.get(&path).await.json()["holdback"], 0);
}

#[tokio::test]
async fn the_second_of_two_editors_gets_both_states() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/campaigns/3001");
    let tag = program.get(&path).await.header("etag").to_owned();
    program.patch_if(&path, &tag, json!({"name": "First"})).await;

    let second = program.patch_if(&path, &tag, json!({"holdback": 100})).await;

    assert_eq!(second.status, StatusCode::PRECONDITION_FAILED);
    let problem = second.json();
    assert_eq!(
        (&problem["current"]["name"], &problem["current"]["holdback"]),
        (&json!("First"), &json!(0))
    );
    assert_eq!(
        (&problem["yours"]["name"], &problem["yours"]["holdback"]),
        (&json!("First"), &json!(100))
    );
    let now = second.header("etag").to_owned();
    let again = program.patch_if(&path, &now, json!({"holdback": 100})).await;
    assert_eq!(again.status, StatusCode::OK);
}

#[tokio::test]
async fn a_star_changes_whatever_is_there() {
    let program = Program::with_hero().await;

    let changed =
        program.patch_if(&format!("{SHOP}/campaigns/3001"), "*", json!({"holdback": 1})).await;

    assert_eq!(changed.status, StatusCode::OK);
}

#[tokio::test]
async fn each_change_is_in_the_audit_log_with_its_request() {
    let program = Program::with_hero().await;
    let headers = [("if-match", "*"), ("x-request-id", "from-the-story")];
    let path = format!("{SHOP}/campaigns/3001");
    program.send(Method::PATCH, &path, &headers, Body::from("{\"holdback\": 700}")).await;

    let log = program.get("/v1/audit?per_page=1").await.json();

    let expected = json!({
        "id": "1000", "entity": "campaign 3001", "request_id": "from-the-story",
        "change": [{"op": "replace", "path": "/campaigns/0/holdback", "value": 700}],
    });
    assert_eq!(log[0]["project"], expected);
}
