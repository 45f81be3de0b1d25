//! What all answers of the endpoints for clients have in common: JSON that no cache may store.

use axum::body::Body;
use axum::http::{Method, Request};

use super::token_call::{FORM, about, exchange, fetch_tokens, refresh, with, without};
use crate::browser::Browser;
use crate::site::{Answer, Application, Site, encode};

const ENDPOINTS: [&str; 3] = ["/oauth2/token", "/oauth2/revoke", "/oauth2/introspect"];

fn request(method: Method, path: &str, content_type: &str, body: &str) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header("content-type", content_type);
    request.header("origin", "https://evil.example").body(Body::from(body.to_owned())).unwrap()
}

fn form(path: &str, pairs: &[(&str, &str)]) -> Request<Body> {
    request(Method::POST, path, FORM, &encode(pairs))
}

/// The answer has what every answer of an endpoint has.
#[track_caller]
pub(super) fn assert_unkept_json(answer: &Answer) {
    assert!(answer.json().is_object(), "{answer:?}");
    let headers = [
        ("content-type", "application/json"),
        ("cache-control", "no-store"),
        ("pragma", "no-cache"),
        ("referrer-policy", "no-referrer"),
        ("set-cookie", ""),
        ("access-control-allow-credentials", ""),
        ("location", ""),
    ];
    for (name, expected) in headers {
        assert_eq!(answer.header(name), expected, "{name} of {answer:?}");
    }
    // Which of them a page may read is told in `without_secret.rs`: those that no secret has opened.
    assert!(["", "*"].contains(&answer.header("access-control-allow-origin")), "{answer:?}");
    let error = answer.json()["error"].clone();
    let is_allowed = |byte: u8| matches!(byte, 0x20..=0x21 | 0x23..=0x5b | 0x5d..=0x7e);
    for text in [&error, &answer.json()["error_description"]] {
        assert!(text.as_str().unwrap_or_default().bytes().all(is_allowed), "{answer:?}");
    }
    assert_eq!(answer.status.is_success(), error.is_null(), "{answer:?}");
    let is_challenged = answer.header("www-authenticate").starts_with("Basic realm=\"");
    assert_eq!(is_challenged, answer.status == 401, "{answer:?}");
}

/// Sends a request, checks what is common, and gives the status.
async fn status(site: &Site, request: Request<Body>) -> u16 {
    let answer = site.send(request).await;
    assert_unkept_json(&answer);
    answer.status.as_u16()
}

#[tokio::test]
async fn successful_answers_are_json_that_no_cache_may_store() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;

    let refreshing = form("/oauth2/token", &refresh(&application, &tokens.refresh));
    assert_eq!(status(&site, refreshing).await, 200);
    for path in &ENDPOINTS[1..] {
        for token in ["x", &tokens.refresh, &tokens.access] {
            assert_eq!(status(&site, form(path, &about(&application, token))).await, 200);
        }
    }
}

#[tokio::test]
async fn refusals_are_json_that_no_cache_may_store() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let code = Browser::new(&site).fetch_code(&member, &application, &[]).await;
    let asked = [exchange(&application, &code), about(&application, "x"), about(&application, "x")];

    for (path, pairs) in ENDPOINTS.into_iter().zip(asked) {
        let large = "a".repeat(70_000);
        let cases = [
            (400, form(path, &[&pairs[..], &[("client_id", "twice")]].concat())),
            (400, request(Method::POST, path, "application/json", "{}")),
            (400, request(Method::POST, path, FORM, "%zz")),
            (401, form(path, &without(&pairs, "client_secret"))),
            (401, form(path, &with(&pairs, "client_id", "nobody"))),
            (401, form(path, &[])),
            (404, form(&format!("{path}/"), &pairs)),
            (405, request(Method::GET, path, FORM, "")),
            (405, request(Method::OPTIONS, path, FORM, "")),
            (413, request(Method::POST, path, FORM, &large)),
        ];
        for (expected, request) in cases {
            assert_eq!(status(&site, request).await, expected, "{path}");
        }
    }
}

#[tokio::test]
async fn too_many_failures_are_answered_in_the_same_format() {
    let site = Site::start();
    let Application { client_id, .. } = site.application().await;
    let wrong = [("client_id", client_id.as_str()), ("client_secret", "x")];
    for _ in 0..200 {
        assert_eq!(status(&site, form(ENDPOINTS[0], &wrong)).await, 401);
    }

    for path in ENDPOINTS {
        assert_eq!(status(&site, form(path, &wrong)).await, 429);
    }
}
