//! An application exchanges a code for tokens.

use serde_json::json;

use super::token_call::{assert_error, by_basic, by_form, by_query, exchange, with, without};
use crate::browser::Browser;
use crate::site::{Answer, Application, Member, Site};

/// A site with a member and an application, and a code for it.
async fn with_code() -> (Site, Member, Application, String) {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let code = Browser::new(&site).fetch_code(&member, &application, &[]).await;
    (site, member, application, code)
}

fn assert_exchanged(answer: &Answer) {
    assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("pragma"), "no-cache");
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    assert_eq!(answer.header("set-cookie"), "");
    let body = answer.json();
    let mut members: Vec<&String> = body.as_object().unwrap().keys().collect();
    members.sort();
    assert_eq!(members, ["access_token", "expires_in", "refresh_token", "token_type"]);
    assert_eq!(body["expires_in"], json!(7200));
    assert_eq!(body["token_type"], json!("bearer"));
}

#[tokio::test]
async fn everything_may_come_in_the_query() {
    let (site, _, application, code) = with_code().await;

    assert_exchanged(&by_query(&site, &exchange(&application, &code)).await);
}

#[tokio::test]
async fn everything_may_come_in_the_body() {
    let (site, _, application, code) = with_code().await;

    assert_exchanged(&by_form(&site, &exchange(&application, &code)).await);
}

#[tokio::test]
async fn client_credentials_may_come_by_basic() {
    let (site, _, application, code) = with_code().await;
    let Application { client_id, client_secret, .. } = &application;
    let pairs = without(&without(&exchange(&application, &code), "client_id"), "client_secret");

    assert_exchanged(&by_basic(&site, client_id, client_secret, &pairs).await);
}

#[tokio::test]
async fn unknown_parameters_and_a_scope_are_ignored() {
    let (site, _, application, code) = with_code().await;
    let mut pairs = exchange(&application, &code);
    pairs.extend([("scope", "everything"), ("colour", "green")]);

    assert_exchanged(&by_form(&site, &pairs).await);
}

#[tokio::test]
async fn a_missing_or_empty_parameter_is_named_by_its_error() {
    let (site, _, application, code) = with_code().await;
    let good = exchange(&application, &code);
    let cases = [
        ("code", 400, "invalid_request"),
        ("client_id", 401, "invalid_client"),
        ("client_secret", 401, "invalid_client"),
        ("redirect_uri", 400, "invalid_request"),
        ("grant_type", 400, "invalid_request"),
    ];

    for (name, status, error) in cases {
        assert_error(&by_query(&site, &without(&good, name)).await, status, error);
        assert_error(&by_query(&site, &with(&good, name, "")).await, status, error);
    }
    assert_exchanged(&by_query(&site, &good).await);
}

#[tokio::test]
async fn the_same_parameter_twice_is_refused() {
    let (site, _, application, code) = with_code().await;
    let good = exchange(&application, &code);

    for &(name, value) in &good {
        let mut twice = good.clone();
        twice.push((name, value));
        assert_error(&by_query(&site, &twice).await, 400, "invalid_request");
    }
    assert_exchanged(&by_query(&site, &good).await);
}

#[tokio::test]
async fn other_grant_types_are_unsupported_and_spend_nothing() {
    let (site, _, application, code) = with_code().await;
    let good = exchange(&application, &code);

    for grant_type in
        ["Authorization_Code", "authorization_code ", "password", "client_credentials", "implicit"]
    {
        let answer = by_form(&site, &with(&good, "grant_type", grant_type)).await;
        assert_error(&answer, 400, "unsupported_grant_type");
    }
    assert_exchanged(&by_form(&site, &good).await);
}

#[tokio::test]
async fn a_wrong_code_is_an_invalid_grant() {
    let (site, _, application, code) = with_code().await;
    let (cut, longer, upper) = (&code[..code.len() - 1], format!("{code}A"), code.to_uppercase());

    for wrong in ["x", cut, &longer, &upper] {
        let answer = by_form(&site, &with(&exchange(&application, &code), "code", wrong)).await;
        assert_error(&answer, 400, "invalid_grant");
    }
    assert_exchanged(&by_form(&site, &exchange(&application, &code)).await);
}
