//! A connection to a server that may be killed while it is asked.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE};
use reqwest::redirect::Policy;

use crate::browser::{authorize_path, hidden_fields};
use crate::door::Door;
use crate::oauth::token_call::FORM;
use crate::site::{Answer, Application, encode};

/// The example of RFC 7636 appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CHALLENGE: [(&str, &str); 2] = [
    ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
    ("code_challenge_method", "S256"),
];

/// A server that says nothing for so long is as good as dead.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Clone)]
pub(crate) struct Caller {
    client: reqwest::Client,
    url: String,
}

impl Caller {
    /// One connection, which is opened when it is needed.
    pub(crate) fn new(url: &str) -> Self {
        let client = reqwest::Client::builder().redirect(Policy::none()).timeout(PATIENCE);
        Self { client: client.build().unwrap(), url: url.to_owned() }
    }

    /// A new connection for each request: a proxy sends each to another server.
    pub(crate) fn scattered(url: &str) -> Self {
        let client = reqwest::Client::builder().redirect(Policy::none()).timeout(PATIENCE);
        let client = client.pool_max_idle_per_host(0).build().unwrap();
        Self { client, url: url.to_owned() }
    }

    /// The whole answer, or nothing if it was cut off or the server failed: then it is unknown what was done.
    pub(crate) async fn ask(&self, request: Request<String>) -> Option<Answer> {
        self.hear(request).await.filter(|answer| !answer.status.is_server_error())
    }

    /// The answer of a server that lives, whatever it says.
    pub(crate) async fn send_text(&self, request: Request<String>) -> Answer {
        self.hear(request).await.unwrap()
    }

    async fn hear(&self, request: Request<String>) -> Option<Answer> {
        let (parts, body) = request.into_parts();
        let url = format!("{}{}", self.url, parts.uri);
        let request = self.client.request(parts.method, url).headers(parts.headers).body(body);
        let response = request.send().await.ok()?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.text().await.ok()?;
        Some(Answer { status, headers, body })
    }
}

impl Door for Caller {
    async fn send(&self, request: Request<Body>) -> Answer {
        let (parts, body) = request.into_parts();
        let body = to_bytes(body, 1 << 20).await.unwrap();
        let body = String::from_utf8(body.to_vec()).unwrap();
        self.send_text(Request::from_parts(parts, body)).await
    }
}

/// Asks for a code in a browser with these cookies.
pub(crate) fn authorize(application: &Application, cookies: &str) -> Request<String> {
    let request = Request::get(authorize_path(application, &CHALLENGE)).header(COOKIE, cookies);
    request.body(String::new()).unwrap()
}

/// Says yes on the page that asks for it.
pub(crate) fn allow(page: &Answer, cookies: &str) -> Request<String> {
    let hidden = hidden_fields(&page.body);
    let hidden = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let fields: Vec<_> = hidden.chain([("decision", "allow")]).collect();
    let request = Request::post("/oauth2/authorize").header(COOKIE, cookies);
    request.header(CONTENT_TYPE, FORM).body(encode(&fields)).unwrap()
}

pub(crate) fn exchange(application: &Application, code: &str) -> Request<String> {
    let redirect_uri = application.redirect_uri.as_str();
    let pairs = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", redirect_uri),
        ("code_verifier", VERIFIER),
    ];
    form("/oauth2/token", application, &pairs)
}

pub(crate) fn refresh(application: &Application, token: &str) -> Request<String> {
    let pairs = [("grant_type", "refresh_token"), ("refresh_token", token)];
    form("/oauth2/token", application, &pairs)
}

pub(crate) fn revoke(application: &Application, token: &str) -> Request<String> {
    form("/oauth2/revoke", application, &[("token", token)])
}

pub(crate) fn use_of(token: &str) -> Request<String> {
    let request = Request::get("/v1/projects").header(AUTHORIZATION, format!("Bearer {token}"));
    request.body(String::new()).unwrap()
}

pub(crate) fn is_ready() -> Request<String> {
    Request::get("/readyz").body(String::new()).unwrap()
}

fn form(path: &str, application: &Application, pairs: &[(&str, &str)]) -> Request<String> {
    let mut pairs = [&[("client_id", application.client_id.as_str())], pairs].concat();
    if !application.client_secret.is_empty() {
        pairs.push(("client_secret", &application.client_secret));
    }
    Request::post(path).header(CONTENT_TYPE, FORM).body(encode(&pairs)).unwrap()
}
