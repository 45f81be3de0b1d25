//! A link shows its draft to everyone who has it, and no other draft.

use axum::http::StatusCode;
use serde_json::json;

use super::{Program, SHOP};
use crate::browser::{Browser, form_token};

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

    assert!(shown(&program, "short", "draft").await.contains("Ship today"));
    assert!(shown(&program, "short", "live").await.contains("Ship faster"));
    assert!(!program.snippet().await.contains("Ship today"));
}

#[tokio::test]
async fn previews_are_switched_on_in_the_draft_and_then_published() {
    let program = Program::with_hero().await;
    let browser = Browser::new(&program.site);
    browser.sign_in_at_home(&program.member).await;
    let path = "/projects/1000/preview";
    let nothing_live = browser.open(path).await.body;
    program.patch(SHOP, json!({"snippet": {"preview": false}})).await;
    program.publish("").await;
    let off = browser.open(path).await;

    let csrf = form_token(&off);
    let switched = browser.post(&format!("{path}/switch-on"), &[("csrf", csrf)]).await;

    assert!(nothing_live.contains("Nothing is live yet"), "{nothing_live}");
    assert!(off.body.contains("Previews are switched off") && !off.body.contains("<select"));
    let on = browser.open(switched.location()).await.body;
    assert!(on.contains("Publish it to make links."), "{on}");
    assert!(on.contains("Previews are on in the draft"), "{on}");
    program.publish("").await;
    assert!(browser.open(path).await.body.contains("Make the link"));
}
