//! Requests that a client repeats because it does not know whether they were done; and programs that write too much.

use std::future::{Future as _, poll_fn};
use std::task::Poll;

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Program, SHOP};
use crate::site::Answer;

async fn post(program: &Program, path: &str, key: &str, body: &Value) -> Answer {
    let headers = [("idempotency-key", key)];
    program.send(Method::POST, path, &headers, Body::from(body.to_string())).await
}

#[tokio::test]
async fn a_repeated_request_is_done_once_and_answered_again() {
    let program = Program::with_shop().await;
    let (path, plan) = (format!("{SHOP}/attributes"), json!({"key": "plan"}));

    let first = post(&program, &path, "k1", &plan).await;
    let again = post(&program, &path, "k1", &plan).await;
    let other = post(&program, &path, "k1", &json!({"key": "age"})).await;
    let new = post(&program, &path, "k2", &plan).await;

    assert_eq!(first.status, StatusCode::CREATED, "{}", first.body);
    assert_eq!((again.status, &again.body), (first.status, &first.body));
    for header in ["etag", "location", "content-type", "cache-control"] {
        assert_eq!(again.header(header), first.header(header), "{header}");
    }
    assert_eq!(
        (first.header("idempotent-replayed"), again.header("idempotent-replayed")),
        ("", "true")
    );
    assert_eq!(other.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(other.json()["code"], "key_reused");
    assert_eq!(new.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", new.body);
    assert_eq!(program.get(&path).await.json().as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_stored_answer_is_not_given_to_a_token_of_other_scopes() {
    let mut program = Program::with_shop().await;
    let (path, plan) = (format!("{SHOP}/attributes"), json!({"key": "plan"}));
    let application = program.site.application().await;
    program.token = program.token_of(&application, "config:write").await;
    assert_eq!(post(&program, &path, "k1", &plan).await.status, StatusCode::CREATED);

    program.token = program.token_of(&application, "config:read").await;
    let told = post(&program, &path, "k1", &plan).await;

    assert_eq!(told.json()["code"], "key_reused", "{}", told.body);
}

#[tokio::test]
async fn a_secret_is_made_once_and_not_shown_again() {
    let program = Program::with_hero().await;
    program.patch(SHOP, json!({"snippet": {"preview": true}})).await;
    program.publish("").await;
    let preview = json!({"url": "https://shop.example/", "variations": ["short"]});
    for (path, body) in [
        ("/v1/tokens".to_owned(), json!({"name": "ci", "scopes": ["config:read"]})),
        (format!("{SHOP}/results-links"), json!({"campaign": "hero"})),
        (format!("{SHOP}/preview-links"), preview),
        (format!("{SHOP}/events-key"), json!({})),
    ] {
        let first = post(&program, &path, &path, &body).await;
        let made = program.get(&path).await;
        let again = post(&program, &path, &path, &body).await;

        assert_eq!(first.status, StatusCode::CREATED, "{path}: {}", first.body);
        assert!(first.header("ratelimit").starts_with("\"writes\";r="), "{path}: {first:?}");
        assert_eq!(
            (again.status, &again.json()["code"]),
            (StatusCode::CONFLICT, &json!("already_done")),
            "{path}"
        );
        assert_eq!(program.get(&path).await.body, made.body, "{path}: nothing more was made");
    }
}

#[tokio::test]
async fn to_forget_a_visitor_counts_as_a_change() {
    let program = Program::with_shop().await;

    let path = format!("{SHOP}/visitors/v1");
    let forgotten = program.send(Method::DELETE, &path, &[], Body::empty()).await;

    assert_eq!(forgotten.status, StatusCode::OK, "{}", forgotten.body);
    assert!(forgotten.header("ratelimit").starts_with("\"writes\";r="), "{forgotten:?}");
}

#[tokio::test]
async fn one_of_two_keys_is_not_chosen_for_the_client() {
    let program = Program::with_shop().await;
    let headers = [("idempotency-key", "k1"), ("idempotency-key", "k2")];
    let body = Body::from(json!({"key": "plan"}).to_string());

    let path = format!("{SHOP}/attributes");
    let refused = program.send(Method::POST, &path, &headers, body).await;

    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
    assert_eq!(refused.json()["code"], "invalid_header");
    assert_eq!(program.get(&path).await.json(), json!([]));
}

#[tokio::test]
async fn a_refused_request_may_be_sent_again_under_the_same_key() {
    let program = Program::with_shop().await;
    let path = format!("{SHOP}/groups");
    let group = json!({"key": "one", "members": [{"campaign": "hero", "weight": 1}]});

    let refused = post(&program, &path, "k1", &group).await;
    program.created("campaigns", super::hero("3001", "hero")).await;
    let again = post(&program, &path, "k1", &group).await;

    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(again.status, StatusCode::CREATED, "{}", again.body);
}

#[tokio::test]
async fn a_secret_is_shown_once_even_to_a_repeated_request() {
    let program = Program::start().await;
    let member = json!({"email": "bob@example.com", "role": "viewer"});

    let first = post(&program, "/v1/members", "k1", &member).await;
    let again = post(&program, "/v1/members", "k1", &member).await;

    assert_eq!(first.status, StatusCode::CREATED, "{}", first.body);
    let password = first.json()["password"].as_str().unwrap().to_owned();
    assert_eq!(
        (again.status, &again.json()["code"]),
        (StatusCode::CONFLICT, &json!("already_done"))
    );
    let file = std::fs::read(program.site.folder.path().join("assay.db-wal")).unwrap();
    assert!(!file.windows(password.len()).any(|bytes| bytes == password.as_bytes()));
}

#[tokio::test]
async fn a_key_has_a_length_and_a_day() {
    let program = Program::with_shop().await;
    let (path, plan) = (format!("{SHOP}/attributes"), json!({"key": "plan"}));

    let long = post(&program, &path, &"k".repeat(256), &plan).await;
    assert_eq!(long.status, StatusCode::BAD_REQUEST);
    post(&program, &path, "k1", &plan).await;
    program.site.advance_seconds(3_600);
    assert_eq!(post(&program, &path, "k1", &plan).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_program_that_runs_wild_waits_and_is_told_for_how_long() {
    let program = Program::with_shop().await;
    let path = format!("{SHOP}/attributes");
    let first = program.post(&path, json!({"key": "plan"})).await;
    assert_eq!(first.header("ratelimit-policy"), "\"writes\";q=600;w=60");
    assert_eq!(first.header("ratelimit"), "\"writes\";r=597;t=1");
    for _ in 0..597 {
        program.post(&path, json!([])).await;
    }

    let late = program.post(&path, json!({"key": "age"})).await;

    assert_eq!(late.status, StatusCode::TOO_MANY_REQUESTS, "{}", late.body);
    assert_eq!(
        (late.header("retry-after"), &late.json()["code"]),
        ("1", &json!("too_many_writes"))
    );
    assert_eq!(program.get(&path).await.json().as_array().unwrap().len(), 1);
    program.site.advance_seconds(1);
    assert_eq!(program.post(&path, json!({"key": "age"})).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_client_that_disconnects_can_ask_for_the_answer() {
    let program = Program::with_shop().await;
    let (path, plan) = (format!("{SHOP}/attributes"), json!({"key": "plan"}));
    let mut asked = Box::pin(post(&program, &path, "k1", &plan));
    let mut is_answered = false;
    while !is_answered && program.get(&path).await.json() == json!([]) {
        is_answered = poll_fn(|context| Poll::Ready(asked.as_mut().poll(context).is_ready())).await;
    }
    drop(asked);

    let mut again = post(&program, &path, "k1", &plan).await;
    for _ in 0..1_000 {
        if again.status == StatusCode::CONFLICT {
            again = post(&program, &path, "k1", &plan).await;
        }
    }

    assert_eq!(again.status, StatusCode::CREATED, "{}", again.body);
    assert_eq!(again.header("idempotent-replayed"), "true");
}
