//! `/v1/projects/{id}/visual-editor-links`.

use app::tokens::{DatabaseIs, end_everything};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};

use super::shop;
use crate::oauth::token_call::fetch_tokens;
use crate::site::{Answer, Site};

async fn token(site: &Site, scope: &str) -> String {
    let application = site.application().await;
    fetch_tokens(site, &application, scope).await.access
}

async fn ask(site: &Site, token: &str, wanted: &Value) -> Answer {
    let request = Request::post("/v1/projects/1000/visual-editor-links")
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json");
    site.send(request.body(Body::from(wanted.to_string())).unwrap()).await
}

#[tokio::test]
async fn a_program_makes_a_link_that_brings_the_editor() {
    let site = shop().await;
    let wanted = json!({"url": "https://shop.example/?a=1#top", "variation": "short"});

    let answer = ask(&site, &token(&site, "config:write").await, &wanted).await;

    assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
    assert_eq!(answer.json()["variation"], "5002");
    let url = answer.json()["url"].as_str().unwrap().to_owned();
    let token = url.strip_prefix("https://shop.example/?a=1&experimentation_preview=").unwrap();
    let token = token.strip_suffix("#top").unwrap();
    let script = site.get(&format!("/js/1000.js?preview={token}")).await;
    assert!(script.body.contains("assay-editor") && script.body.contains("Ship faster"));
}

#[tokio::test]
async fn a_link_to_the_editor_ends_with_everything() {
    let site = shop().await;
    let wanted = json!({"url": "https://shop.example/", "variation": "short"});
    let answer = ask(&site, &token(&site, "config:write").await, &wanted).await;
    let url = answer.json()["url"].as_str().unwrap().to_owned();
    let token = url.strip_prefix("https://shop.example/?experimentation_preview=").unwrap();
    let script = async || site.get(&format!("/js/1000.js?preview={token}")).await.body;
    assert!(script().await.contains("assay-editor"));

    end_everything(&site.app, DatabaseIs::TheOriginal).await.unwrap();

    assert!(!script().await.contains("assay-editor"));
}

#[tokio::test]
async fn what_is_wrong_with_a_request_for_an_editor_is_told() {
    let site = shop().await;
    let token = token(&site, "config:write").await;
    let page = "https://shop.example/";
    let long = format!("{page}{}", "a".repeat(2_048));

    for (wanted, expected) in [
        (
            json!({"url": page, "variation": "shrot"}),
            "#/variation there is no variation `shrot`; did you mean `short`?",
        ),
        (json!({"url": long, "variation": "short"}), "#/url longer than 2048 bytes"),
        (
            json!({"url": "javascript:alert(1)", "variation": "short"}),
            "#/url this is not the address of a page, expected an address such as `https://shop.example/`",
        ),
    ] {
        let answer = ask(&site, &token, &wanted).await;

        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{answer:?}");
        let error = answer.json()["errors"][0].clone();
        let told =
            [error["pointer"].as_str().unwrap(), error["detail"].as_str().unwrap()].join(" ");
        assert_eq!(told, expected);
    }
}

#[tokio::test]
async fn a_token_that_only_reads_opens_no_editor() {
    let site = shop().await;
    let wanted = json!({"url": "https://shop.example/", "variation": "short"});

    let answer = ask(&site, &token(&site, "config:read").await, &wanted).await;

    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{answer:?}");
}
