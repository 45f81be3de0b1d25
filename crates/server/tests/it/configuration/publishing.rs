//! Drafts become revisions, which never change and can be live again.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::json;

use super::{Program, SHOP, hero};

#[tokio::test]
async fn a_published_draft_is_a_revision_and_live() {
    let program = Program::with_hero().await;

    let published = program.publish("First try").await;

    assert_eq!(published.status, StatusCode::CREATED, "{}", published.body);
    let revision = published.json();
    assert_eq!((&revision["number"], &revision["author"]), (&json!(1), &json!("ann@example.com")));
    assert_eq!(
        (&revision["message"], &revision["created_at"]),
        (&json!("First try"), &json!("2027-01-15T08:00:00Z"))
    );
    assert_eq!(revision["document_hash"].as_str().unwrap().len(), 64);
    assert_eq!(program.site.get("/js/1000.js").await.status, StatusCode::OK);
    assert_eq!(program.get(&format!("{SHOP}/revisions")).await.json()[0]["number"], 1);
    assert_eq!(
        program.get(&format!("{SHOP}/revisions/1")).await.json()["snippet_bytes"],
        revision["snippet_bytes"]
    );

    let again = program.publish("Nothing new").await;
    assert_eq!((again.status, &again.json()["message"]), (StatusCode::OK, &json!("First try")));
}

#[tokio::test]
async fn a_member_publishes_only_the_draft_they_have_seen() {
    let program = Program::with_hero().await;
    let seen = program.get(&format!("{SHOP}/document")).await.header("etag").to_owned();
    program.patch(&format!("{SHOP}/campaigns/3001"), json!({"holdback": 9})).await;
    let path = format!("{SHOP}/revisions");

    let late = program.send(Method::POST, &path, &[("if-match", &seen)], Body::from("{}")).await;
    let blind = program.post(&path, json!({})).await;

    assert_eq!(late.status, StatusCode::PRECONDITION_FAILED, "{}", late.body);
    assert_eq!(blind.status, StatusCode::PRECONDITION_REQUIRED);
    assert_eq!(program.site.get("/js/1000.js").await.status, StatusCode::NOT_FOUND);
    let now = late.json()["current"]["draft"].as_str().unwrap().to_owned();
    let published =
        program.send(Method::POST, &path, &[("if-match", &now)], Body::from("{}")).await;
    assert_eq!(published.status, StatusCode::CREATED);
}

#[tokio::test]
async fn any_two_states_are_compared() {
    let program = Program::with_hero().await;
    program.publish("").await;
    program.patch(&format!("{SHOP}/campaigns/3001"), json!({"holdback": 500})).await;
    program.created("campaigns", hero("3002", "second")).await;

    let compared = program.get(&format!("{SHOP}/revisions/live..draft/diff")).await;

    assert_eq!(compared.status, StatusCode::OK, "{}", compared.body);
    let compared = compared.json();
    assert_eq!(
        compared["text"],
        "campaign `Hero` (3001) changed\n  holdback: 0 → 500\ncampaign `Hero` (3002) added"
    );
    assert_eq!(
        compared["patch"][0],
        json!({"op": "replace", "path": "/campaigns/0/holdback", "value": 500})
    );
    for (range, status) in [
        ("1..9", StatusCode::NOT_FOUND),
        ("1", StatusCode::BAD_REQUEST),
        ("a..b", StatusCode::BAD_REQUEST),
    ] {
        assert_eq!(program.get(&format!("{SHOP}/revisions/{range}/diff")).await.status, status);
    }
}

#[tokio::test]
async fn an_earlier_revision_is_live_again_and_the_draft_stays() {
    let program = Program::with_hero().await;
    program.act("start").await;
    program.act("pause").await;

    let restored =
        program.post(&format!("{SHOP}/revisions/1/restore"), json!({"message": "Back"})).await;

    assert_eq!(restored.status, StatusCode::CREATED, "{}", restored.body);
    let restored = restored.json();
    assert_eq!((&restored["number"], &restored["restored_from"]), (&json!(3), &json!(1)));
    assert!(program.snippet().await.contains("Ship faster"));
    let nothing = program.post(&format!("{SHOP}/revisions/9/restore"), json!({})).await;
    assert_eq!(nothing.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_is_wrong_with_a_message_is_told() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/revisions");
    for body in ["{\"mesage\": \"x\"}", "{\"message\": 7}", "[]"] {
        let refused =
            program.send(Method::POST, &path, &[("if-match", "*")], Body::from(body)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    }
}
