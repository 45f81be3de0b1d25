//! Calls to the token endpoint, in the three forms it takes.

use axum::body::Body;
use axum::http::Request;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::browser::Browser;
use crate::door::Door;
use crate::site::{Answer, Application, Site, encode};

pub(crate) const FORM: &str = "application/x-www-form-urlencoded";

/// Everything in the query, as the interface documents it.
pub(crate) async fn by_query(site: &Site, pairs: &[(&str, &str)]) -> Answer {
    let uri = format!("/oauth2/token?{}", encode(pairs));
    site.send(Request::post(uri).body(Body::empty()).unwrap()).await
}

/// Everything in a form body, as RFC 6749 has it.
pub(crate) async fn by_form(site: &impl Door, pairs: &[(&str, &str)]) -> Answer {
    form_to(site, "/oauth2/token", pairs).await
}

/// A form to any of the endpoints.
pub(crate) async fn form_to(site: &impl Door, path: &str, pairs: &[(&str, &str)]) -> Answer {
    let request = Request::post(path).header(CONTENT_TYPE, FORM);
    site.send(request.body(Body::from(encode(pairs))).unwrap()).await
}

/// Client credentials in the `Authorization` header, the rest in a form body.
pub(crate) async fn by_basic(
    site: &Site,
    client_id: &str,
    secret: &str,
    pairs: &[(&str, &str)],
) -> Answer {
    let credentials = format!("Basic {}", STANDARD.encode(format!("{client_id}:{secret}")));
    let request = Request::post("/oauth2/token")
        .header(CONTENT_TYPE, FORM)
        .header(AUTHORIZATION, credentials);
    site.send(request.body(Body::from(encode(pairs))).unwrap()).await
}

/// The five parameters of an exchange.
pub(crate) fn exchange<'a>(application: &'a Application, code: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("code", code),
        ("client_id", &application.client_id),
        ("client_secret", &application.client_secret),
        ("redirect_uri", &application.redirect_uri),
        ("grant_type", "authorization_code"),
    ]
}

/// The same with one of them replaced.
pub(crate) fn with<'a>(
    pairs: &[(&'a str, &'a str)],
    name: &'a str,
    value: &'a str,
) -> Vec<(&'a str, &'a str)> {
    without(pairs, name).into_iter().chain([(name, value)]).collect()
}

/// The same with one of them left out.
pub(crate) fn without<'a>(pairs: &[(&'a str, &'a str)], name: &str) -> Vec<(&'a str, &'a str)> {
    pairs.iter().copied().filter(|(found, _)| *found != name).collect()
}

pub(crate) fn refresh<'a>(
    application: &'a Application,
    refresh_token: &'a str,
) -> Vec<(&'a str, &'a str)> {
    vec![
        ("grant_type", "refresh_token"),
        ("refresh_token", refresh_token),
        ("client_id", &application.client_id),
        ("client_secret", &application.client_secret),
    ]
}

/// A question about a token, by its client.
pub(crate) fn about<'a>(application: &'a Application, token: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("token", token),
        ("client_id", &application.client_id),
        ("client_secret", &application.client_secret),
    ]
}

/// Walks through the pages and exchanges the code.
pub(crate) async fn fetch_tokens(site: &Site, application: &Application, scope: &str) -> Tokens {
    let member = site.member().await;
    let code = Browser::new(site).fetch_code(&member, application, &[("scope", scope)]).await;
    Tokens::of(&by_form(site, &exchange(application, &code)).await)
}

/// What an exchange gives.
pub(crate) struct Tokens {
    pub(crate) access: String,
    pub(crate) refresh: String,
}

impl Tokens {
    pub(crate) fn of(answer: &Answer) -> Self {
        let body = answer.json();
        let text = |name: &str| {
            body[name].as_str().unwrap_or_else(|| panic!("no {name} in {answer:?}")).to_owned()
        };
        Self { access: text("access_token"), refresh: text("refresh_token") }
    }
}

/// The answer is this error, in the shape that every error of the endpoint has.
#[track_caller]
pub(crate) fn assert_error(answer: &Answer, status: u16, error: &str) {
    let body = answer.json();
    assert_eq!((answer.status.as_u16(), &body["error"]), (status, &json!(error)), "{answer:?}");
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("pragma"), "no-cache");
    let described = body["error_description"].as_str().unwrap();
    assert!(
        described.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\'),
        "{described}"
    );
}
