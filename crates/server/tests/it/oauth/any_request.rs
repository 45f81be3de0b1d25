//! Requests put together at random from what is right, what is nearly right and what is nonsense: whatever comes, the answer has its
//! shape, and no request makes the server fail.

use axum::body::Body;
use axum::http::Request;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use proptest::sample::select;
use tokio::runtime::Runtime;

use super::answers::assert_unkept_json;
use super::pkce::CHALLENGE;
use super::token_call::FORM;
use crate::browser::Browser;
use crate::site::{Answer, Application, PUBLIC_URL, Site, encode};

const NAMES: [&str; 22] = [
    "grant_type",
    "code",
    "redirect_uri",
    "client_id",
    "client_secret",
    "refresh_token",
    "token",
    "token_type_hint",
    "scope",
    "code_verifier",
    "response_type",
    "response_mode",
    "state",
    "code_challenge",
    "code_challenge_method",
    "prompt",
    "login_hint",
    "client_assertion",
    "request_uri",
    "code[]",
    "__proto__",
    "",
];

/// The script of the sign-in page.
const OUR_SCRIPT: &str = "<script type=\"module\" src=\"/assets/passkeys.js\"></script>";

/// What is right somewhere, or looks like it.
fn values(application: &Application, code: &str) -> Vec<String> {
    let ours = [&application.client_id, &application.client_secret, &application.redirect_uri];
    let words = [
        "authorization_code",
        "refresh_token",
        "access_token",
        "code",
        "token",
        "query",
        "all",
        "publish config:read",
        "S256",
        "plain",
        CHALLENGE,
        "none",
        "login",
        "consent",
        "",
        " ",
        "\0",
        "\u{202e}",
        "☃",
        "<script>",
        "%zz",
        "'; DROP TABLE client; --",
        "https://evil.example/",
        "http://127.0.0.1:1/callback",
    ];
    let words = words.into_iter().map(str::to_owned);
    ours.into_iter().cloned().chain([code.to_owned(), "x".repeat(300)]).chain(words).collect()
}

type Pairs = Vec<(&'static str, String)>;

fn pairs(values: &[String]) -> impl Strategy<Value = Pairs> + use<> {
    let value = prop_oneof![4 => select(values.to_vec()), 1 => any::<String>()];
    prop::collection::vec((select(&NAMES[..]), value), 0..8)
}

/// As a form has it, or broken.
fn encoded(values: &[String]) -> impl Strategy<Value = String> + use<> {
    let proper = pairs(values).prop_map(|pairs| {
        let pairs: Vec<_> = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
        encode(&pairs)
    });
    prop_oneof![6 => proper, 1 => "[a-z&=%+;\\[\\]]{0,40}"]
}

fn authorization(application: &Application) -> impl Strategy<Value = String> + use<> {
    let Application { client_id, client_secret, .. } = application;
    let right = format!("Basic {}", STANDARD.encode(format!("{client_id}:{client_secret}")));
    let wrong = format!("Basic {}", STANDARD.encode(format!("{client_id}:x")));
    prop_oneof![
        4 => Just(String::new()),
        2 => Just(right),
        1 => Just(wrong),
        1 => "(Basic|Bearer|Digest)? ?[ -~]{0,20}",
    ]
}

/// A site, an application of it, and what can be right about a request.
fn stage(runtime: &Runtime) -> (Site, Application, Vec<String>) {
    let site = Site::start();
    let (application, code) = runtime.block_on(async {
        let (member, application) = (site.member().await, site.application().await);
        let code = Browser::new(&site).fetch_code(&member, &application, &[]).await;
        (application, code)
    });
    let values = values(&application, &code);
    (site, application, values)
}

#[test]
fn every_call_to_an_endpoint_is_answered_in_its_shape() {
    let runtime = Runtime::new().unwrap();
    let (site, application, values) = stage(&runtime);
    let path = select(vec!["/oauth2/token", "/oauth2/revoke", "/oauth2/introspect"]);
    let method = prop_oneof![6 => Just("POST"), 1 => select(vec!["GET", "PUT", "OPTIONS"])];
    let content_type = prop_oneof![6 => Just(FORM), 1 => select(vec!["", "application/json"])];
    let place = (path, method, content_type, authorization(&application));

    let config = ProptestConfig { cases: 512, failure_persistence: None, ..Default::default() };
    proptest!(config, |(
        (path, method, content_type, authorization) in place,
        query in encoded(&values),
        body in encoded(&values),
    )| {
        let mut request = Request::builder().method(method).uri(format!("{path}?{query}"));
        for (name, value) in [(CONTENT_TYPE, content_type), (AUTHORIZATION, &authorization)] {
            if !value.is_empty() {
                request = request.header(name, value);
            }
        }
        let Ok(request) = request.body(Body::from(body)) else { return Ok(()) };
        let answer = runtime.block_on(site.send(request));

        assert_unkept_json(&answer);
        prop_assert!([200, 400, 401, 405, 429].contains(&answer.status.as_u16()), "{:?}", answer);
    });
}

#[test]
fn every_authorization_request_is_answered_on_a_page_or_where_it_may() {
    let runtime = Runtime::new().unwrap();
    let (site, application, values) = stage(&runtime);
    let Application { client_id, redirect_uri, .. } = &application;
    let known = encode(&[("client_id", client_id), ("redirect_uri", redirect_uri)]);
    let start = select(vec![String::new(), known.clone(), format!("{known}&response_type=code")]);

    let config = ProptestConfig { cases: 512, failure_persistence: None, ..Default::default() };
    proptest!(config, |(start in start, query in encoded(&values))| {
        let path = format!("/oauth2/authorize?{start}&{query}");
        let Ok(request) = Request::get(path).body(Body::empty()) else { return Ok(()) };
        let answer = runtime.block_on(site.send(request));

        prop_assert!([200, 303, 400].contains(&answer.status.as_u16()), "{:?}", answer);
        if answer.status == 303 {
            prop_assert!(is_for_the_client(&answer, redirect_uri), "{:?}", answer);
        } else {
            prop_assert!(answer.header("content-security-policy").contains("frame-ancestors"));
            let without_ours = answer.body.replace(OUR_SCRIPT, "");
            prop_assert!(!without_ours.contains("<script"), "{:?}", answer);
        }
    });
}

/// There is no session, so a client can only get an error.
fn is_for_the_client(answer: &Answer, redirect_uri: &str) -> bool {
    let loopback = "http://127.0.0.1:1/callback";
    let is_registered =
        [redirect_uri, loopback].iter().any(|uri| answer.location().starts_with(uri));
    is_registered
        && answer.returned("error").is_some()
        && answer.returned("code").is_none()
        && answer.returned("iss").as_deref() == Some(PUBLIC_URL)
}
