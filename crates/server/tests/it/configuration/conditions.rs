//! Changes that need no condition heed one all the same: a client that says what it has seen changes nothing else.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Program, SHOP};

/// A change, with the address whose tag it takes.
struct Change {
    method: Method,
    path: String,
    body: Value,
    of: String,
}

impl Change {
    fn of(of: &str, method: Method, below: &str, body: Value) -> Self {
        Self { method, path: format!("{of}{below}"), body, of: of.to_owned() }
    }
}

/// A member, an application and a webhook, beside what was published twice; and what is done to them, from the least to their end.
async fn changes(program: &Program) -> Vec<Change> {
    program.publish("").await;
    program.patch(&format!("{SHOP}/campaigns/3001"), json!({"name": "Edited"})).await;
    program.publish("").await;
    let bob = json!({"email": "bob@example.com", "role": "viewer"});
    let bob = program.post("/v1/members", bob).await.json();
    let bob = format!("/v1/members/{}", bob["id"].as_str().unwrap());
    let charts = json!({"name": "Charts", "redirect_uris": ["https://charts.example/cb"]});
    let charts = program.post("/v1/applications", charts).await.json();
    let secret = format!("/secrets/{}", charts["secret_id"].as_str().unwrap());
    let charts = format!("/v1/applications/{}", charts["client_id"].as_str().unwrap());
    let hook = json!({"url": "https://hooks.example/"});
    let hook = program.post(&format!("{SHOP}/webhooks"), hook).await.json();
    let hook = format!("{SHOP}/webhooks/{}", hook["id"].as_str().unwrap());
    let nothing = Value::Null;
    vec![
        Change::of(SHOP, Method::POST, "/revisions/1/restore", json!({})),
        Change::of(&bob, Method::POST, "/actions", json!({"action": "reset_password"})),
        Change::of(&bob, Method::DELETE, "", nothing.clone()),
        Change::of(&charts, Method::POST, "/secrets", json!({"note": "2027"})),
        Change::of(&charts, Method::DELETE, &secret, nothing.clone()),
        Change::of(&charts, Method::POST, "/actions", json!({"action": "disable"})),
        Change::of(&charts, Method::DELETE, "", nothing.clone()),
        Change::of(&hook, Method::POST, "/secret", nothing.clone()),
        Change::of(&hook, Method::DELETE, "", nothing),
    ]
}

#[tokio::test]
async fn a_condition_that_is_not_needed_is_heeded() {
    let program = Program::with_hero().await;
    for Change { method, path, body, of } in changes(&program).await {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let change = async |tag: &str| {
            let headers = [("if-match", tag)];
            program.send(method.clone(), &path, &headers, Body::from(body.clone())).await
        };
        let before = program.get(&of).await;
        let log = program.get("/v1/audit").await.body;

        let stale = change("\"other\"").await;
        let malformed = change("other").await;

        let place = format!("{method} {path}");
        assert_eq!(stale.status, StatusCode::PRECONDITION_FAILED, "{place}: {}", stale.body);
        assert_eq!(stale.json()["current"], before.json(), "{place}");
        assert_eq!(stale.header("etag"), before.header("etag"), "{place}");
        assert_eq!(malformed.status, StatusCode::BAD_REQUEST, "{place}: {}", malformed.body);
        assert_eq!(malformed.json()["code"], "invalid_header", "{place}");
        assert_eq!(program.get(&of).await.body, before.body, "{place}");
        assert_eq!(program.get("/v1/audit").await.body, log, "{place}");
        let seen = change(before.header("etag")).await;
        assert!(seen.status.is_success(), "{place}: {}", seen.body);
    }
}

#[tokio::test]
async fn a_revision_is_restored_in_the_state_that_was_seen() {
    let program = Program::with_hero().await;
    program.publish("").await;
    let seen = program.get(&format!("{SHOP}/document")).await.header("etag").to_owned();
    let restore = async |number: u32| {
        let path = format!("{SHOP}/revisions/{number}/restore");
        program.send(Method::POST, &path, &[("if-match", &seen)], Body::from("{}")).await
    };
    let untouched = restore(1).await;
    program.patch(&format!("{SHOP}/campaigns/3001"), json!({"name": "Edited"})).await;
    program.publish("").await;

    let late = restore(1).await;

    assert_eq!(untouched.status, StatusCode::OK, "{}", untouched.body);
    assert_eq!(late.status, StatusCode::PRECONDITION_FAILED, "{}", late.body);
    assert_eq!(program.get(SHOP).await.json()["revision"], 2);
}
