//! A link shows a draft to whoever has it, and no other draft.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::json;

use super::{Program, SHOP, hero};

/// The shop is live with previews, and `hero` runs; its draft has another text.
async fn with_draft() -> Program {
    let program = Program::with_hero().await;
    program.patch(SHOP, json!({"snippet": {"preview": true}})).await;
    program.publish("").await;
    program.act("start").await;
    let variations = program.get(&format!("{SHOP}/variations")).await.json();
    let path = format!("{SHOP}/variations/{}", variations[1]["id"].as_str().unwrap());
    let change = json!({"changes": [{"type": "text", "selector": "h1", "value": "Ship today"}]});
    assert_eq!(program.patch(&path, change).await.status, StatusCode::OK);
    program
}

/// The script behind a link to this variation as it is in the draft, or live.
async fn shown(program: &Program, variation: &str, state: &str) -> String {
    let is_draft = state == "draft";
    let body =
        json!({"url": "https://shop.example/", "variations": [variation], "draft": is_draft});
    let made = program.post(&format!("{SHOP}/preview-links"), body).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    let url = made.json()["url"].as_str().unwrap().to_owned();
    let (_, token) = url.rsplit_once('=').unwrap();
    program.site.get(&format!("/js/1000.js?preview={token}")).await.body
}

#[tokio::test]
async fn a_link_to_the_draft_shows_what_visitors_do_not_see_yet() {
    let program = with_draft().await;
    let mut offer = hero("3002", "offer");
    offer["experiments"][0]["variations"][1] = json!({"key": "half", "weight": 5000, "changes": [{"type": "text", "selector": "h1", "value": "Half price"}]});
    program.created("campaigns", offer).await;

    assert!(shown(&program, "short", "draft").await.contains("Ship today"));
    assert!(shown(&program, "short", "live").await.contains("Ship faster"));
    let new = shown(&program, "half", "draft").await;
    assert!(new.contains("Half price") && new.contains("Ship faster"), "{new}");
    assert!(!new.contains("Ship today"), "another draft is shown");
    assert!(!program.snippet().await.contains("Ship today"));
}

#[tokio::test]
async fn what_is_archived_is_not_shown() {
    let program = with_draft().await;
    let mut offer = hero("3002", "offer");
    offer["experiments"][0]["variations"][1] = json!({"id": "5900", "key": "half", "weight": 0});
    program.created("campaigns", offer).await;
    let body = json!({"url": "https://shop.example/", "variations": ["half"], "draft": true});
    let made = program.post(&format!("{SHOP}/preview-links"), body.clone()).await.json();

    let half = format!("{SHOP}/variations/5900");
    let away = program.send(Method::DELETE, &half, &[("if-match", "*")], Body::empty()).await;
    let refused = program.post(&format!("{SHOP}/preview-links"), body).await;

    assert!(away.status.is_success(), "{}", away.body);
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
    assert!(refused.body.contains("`half` is archived"), "{}", refused.body);
    let (_, token) = made["url"].as_str().unwrap().rsplit_once('=').unwrap();
    let shown = program.site.get(&format!("/js/1000.js?preview={token}")).await.body;
    assert!(shown.contains("not in the project any more"), "{shown}");
}

#[tokio::test]
async fn a_link_follows_the_draft() {
    let program = with_draft().await;
    let body = json!({"url": "https://shop.example/", "variations": ["short"], "draft": true});
    let url = program.post(&format!("{SHOP}/preview-links"), body).await.json()["url"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/js/1000.js?preview={}", url.rsplit_once('=').unwrap().1);
    assert!(program.site.get(&path).await.body.contains("Ship today"));

    let variations = program.get(&format!("{SHOP}/variations")).await.json();
    let short = format!("{SHOP}/variations/{}", variations[1]["id"].as_str().unwrap());
    program
        .patch(
            &short,
            json!({"changes": [{"type": "text", "selector": "h1", "value": "Ship tomorrow"}]}),
        )
        .await;

    assert!(program.site.get(&path).await.body.contains("Ship tomorrow"));
}
