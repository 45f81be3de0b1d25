//! A copy of a campaign, or of an experience, in one request.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Program, SHOP, pointers};
use crate::site::Answer;

async fn duplicate(program: &Program, path: &str, body: Value) -> Answer {
    program.post(&format!("{SHOP}/{path}/duplicate"), body).await
}

#[tokio::test]
async fn a_copy_is_created_at_an_address_of_its_own() {
    let program = Program::with_hero().await;

    let copied = duplicate(&program, "campaigns/key:hero", json!({"name": "Mine"})).await;

    assert_eq!(copied.status, StatusCode::CREATED, "{}", copied.body);
    let copy = copied.json();
    assert_eq!((&copy["key"], &copy["name"]), (&json!("hero-2"), &json!("Mine")));
    let path = format!("/v1/projects/1000/campaigns/{}", copy["id"].as_str().unwrap());
    assert_eq!(copied.header("location"), format!("https://assay.example{path}"));
    assert_eq!(copied.header("etag"), program.get(&path).await.header("etag"));
    assert_eq!(copied.header("etag"), copy["etag"]);
}

#[tokio::test]
async fn a_copy_that_is_not_possible_is_refused_with_the_reason() {
    let program = Program::with_hero().await;

    let unknown = duplicate(&program, "campaigns/3001", json!({"nmae": "x"})).await;

    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", unknown.body);
    assert_eq!(pointers(&unknown), ["#/nmae"]);
    assert_eq!(duplicate(&program, "campaigns/9", json!({})).await.status, StatusCode::NOT_FOUND);
    assert_eq!(duplicate(&program, "pages/2001", json!({})).await.status, StatusCode::NOT_FOUND);
    let late = [("if-match", "\"other\"")];
    let path = format!("{SHOP}/campaigns/3001/duplicate");
    let late = program.send(Method::POST, &path, &late, Body::from("{}")).await;
    assert_eq!(late.status, StatusCode::PRECONDITION_FAILED);
}

#[tokio::test]
async fn a_repeated_request_makes_one_copy() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/campaigns/3001/duplicate");
    let keyed = [("idempotency-key", "one")];

    let first = program.send(Method::POST, &path, &keyed, Body::from("{}")).await;
    let again = program.send(Method::POST, &path, &keyed, Body::from("{}")).await;

    assert_eq!((first.status, &first.body), (StatusCode::CREATED, &again.body));
    let campaigns = program.get(&format!("{SHOP}/campaigns")).await.json();
    assert_eq!(campaigns.as_array().unwrap().len(), 2);
}
