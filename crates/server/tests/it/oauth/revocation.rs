//! An application gives its tokens back (RFC 7009).

use axum::http::Method;

use super::token_call::{
    about, assert_error, by_form, fetch_tokens, form_to, refresh, with, without,
};
use crate::site::{Site, encode};

const REVOKE: &str = "/oauth2/revoke";

#[tokio::test]
async fn revoking_a_refresh_token_ends_everything_that_came_with_it() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;
    assert_eq!(site.get_as("/v1/projects", &tokens.access).await.status.as_u16(), 200);

    let answer = form_to(&site, REVOKE, &about(&application, &tokens.refresh)).await;

    assert_eq!((answer.status.as_u16(), answer.body.as_str()), (200, "{}"));
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("pragma"), "no-cache");
    assert_eq!(site.get_as("/v1/projects", &tokens.access).await.status.as_u16(), 401);
    let refreshed = by_form(&site, &refresh(&application, &tokens.refresh)).await;
    assert_error(&refreshed, 400, "invalid_grant");
}

#[tokio::test]
async fn a_wrong_hint_does_not_hide_the_token_and_the_query_works_too() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;
    for hint in ["access_token", "no_such_type"] {
        let pairs = with(&about(&application, &tokens.refresh), "token_type_hint", hint);

        let answer = site.call(Method::POST, &format!("{REVOKE}?{}", encode(&pairs))).await;

        assert_eq!(answer.status.as_u16(), 200);
        assert_eq!(site.get_as("/v1/projects", &tokens.access).await.status.as_u16(), 401);
    }
}

#[tokio::test]
async fn only_a_client_that_proves_itself_revokes() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;
    let right = about(&application, &tokens.access);

    for pairs in [
        with(&right, "client_secret", "wrong"),
        without(&right, "client_secret"),
        without(&without(&right, "client_secret"), "client_id"),
    ] {
        assert_error(&form_to(&site, REVOKE, &pairs).await, 401, "invalid_client");
    }
    assert_error(&form_to(&site, REVOKE, &without(&right, "token")).await, 400, "invalid_request");
    assert_eq!(site.get_as("/v1/projects", &tokens.access).await.status.as_u16(), 200);
}

#[tokio::test]
async fn only_post_revokes() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;
    let pairs = encode(&about(&application, &tokens.access));

    for method in [Method::GET, Method::HEAD, Method::DELETE, Method::OPTIONS] {
        let answer = site.call(method.clone(), &format!("{REVOKE}?{pairs}")).await;
        assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, "POST"), "{method}");
    }
    assert_eq!(site.get_as("/v1/projects", &tokens.access).await.status.as_u16(), 200);
}
