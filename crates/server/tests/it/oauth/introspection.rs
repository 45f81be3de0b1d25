//! An application asks what its tokens are good for (RFC 7662).

use axum::http::Method;
use oauth::ClientKind;
use serde_json::json;

use super::token_call::{
    Tokens, about, assert_error, by_form, exchange, fetch_tokens, form_to, with, without,
};
use crate::browser::Browser;
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
async fn a_token_that_is_longer_than_any_of_ours_is_none_of_ours() {
    let site = Site::start();
    let application = site.application().await;
    for length in [257, 4_097, 9_000, 60_000] {
        let token = format!("eyJ{}", "a".repeat(length));
        let introspected = form_to(&site, INTROSPECT, &about(&application, &token)).await;
        let revoked = form_to(&site, "/oauth2/revoke", &about(&application, &token)).await;

        assert_eq!(
            (introspected.status.as_u16(), &*introspected.body),
            (200, r#"{"active":false}"#)
        );
        assert_eq!((revoked.status.as_u16(), &*revoked.body), (200, "{}"));
    }
}

#[tokio::test]
async fn of_any_other_token_nothing_is_said() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let other = site.register("Other", ClientKind::Confidential).await;
    let ask = [("prompt", "consent")];
    let code = Browser::new(&site).fetch_code(&member, &application, &ask).await;
    let first = Browser::new(&site).fetch_code(&member, &application, &ask).await;
    let second = Browser::new(&site).fetch_code(&member, &application, &ask).await;
    let tokens = Tokens::of(&by_form(&site, &exchange(&application, &first)).await);
    let revoked = Tokens::of(&by_form(&site, &exchange(&application, &second)).await);
    form_to(&site, "/oauth2/revoke", &about(&application, &revoked.refresh)).await;

    let nothing = json!({"active": false});
    for token in [&code, &first, "x", &revoked.access, &revoked.refresh] {
        let answer = form_to(&site, INTROSPECT, &about(&application, token)).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (200, nothing.clone()));
    }
    for token in [&tokens.access, &tokens.refresh] {
        let foreign = form_to(&site, INTROSPECT, &about(&other, token)).await;
        assert_eq!((foreign.status.as_u16(), foreign.json()), (200, nothing.clone()));
    }
    site.advance_seconds(7_200);
    let expired = form_to(&site, INTROSPECT, &about(&application, &tokens.access)).await;
    assert_eq!(expired.json(), nothing);
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
