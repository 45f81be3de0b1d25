//! An application asks what its tokens are good for (RFC 7662).

use axum::http::Method;
use oauth::ClientKind;
use serde_json::json;

use super::token_call::{about, assert_error, fetch_tokens, form_to, with, without};
use crate::site::{PUBLIC_URL, Site, encode};

const INTROSPECT: &str = "/oauth2/introspect";

#[tokio::test]
async fn a_good_token_is_described() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "publish config:read").await;

    let access = form_to(&site, INTROSPECT, &about(&application, &tokens.access)).await;
    let refresh = form_to(&site, INTROSPECT, &about(&application, &tokens.refresh)).await;

    assert_eq!(access.header("cache-control"), "no-store");
    let (access, refresh) = (access.json(), refresh.json());
    for described in [&access, &refresh] {
        assert_eq!(described["active"], json!(true));
        assert_eq!(described["scope"], json!("config:read publish"));
        assert_eq!(described["client_id"], json!(application.client_id));
        assert_eq!(described["iss"], json!(PUBLIC_URL));
        assert!(described["sub"].is_string(), "{described}");
    }
    assert_eq!(access["token_type"], json!("bearer"));
    assert!(refresh.get("token_type").is_none());
    let lifetime = |described: &serde_json::Value| described["exp"].as_i64().unwrap();
    assert_eq!(lifetime(&refresh) - lifetime(&access), 180 * 24 * 3600 - 7200);
}

#[tokio::test]
async fn only_a_client_with_its_secret_may_ask() {
    let site = Site::start();
    let application = site.application().await;
    let public = site.register("App", ClientKind::Public).await;
    let tokens = fetch_tokens(&site, &application, "all").await;
    let right = about(&application, &tokens.access);

    for pairs in [
        with(&right, "client_secret", "wrong"),
        without(&right, "client_secret"),
        without(&without(&right, "client_secret"), "client_id"),
        without(&about(&public, &tokens.access), "client_secret"),
    ] {
        assert_error(&form_to(&site, INTROSPECT, &pairs).await, 401, "invalid_client");
    }
    let nothing = form_to(&site, INTROSPECT, &without(&right, "token")).await;
    assert_error(&nothing, 400, "invalid_request");
}

#[tokio::test]
async fn only_post_asks() {
    let site = Site::start();
    let application = site.application().await;
    let pairs = encode(&about(&application, "x"));

    for method in [Method::GET, Method::HEAD, Method::OPTIONS] {
        let answer = site.call(method.clone(), &format!("{INTROSPECT}?{pairs}")).await;
        assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, "POST"), "{method}");
    }
}
