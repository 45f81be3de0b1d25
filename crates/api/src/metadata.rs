//! `GET /.well-known/oauth-authorization-server`: what a client needs to know to talk to us (RFC 8414 section 2). Only what exists
//! is listed.

use app::{App, verify_caller_check};
use axum::extract::State;
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use oauth::Scope;
use serde::Serialize;
use web::{CALLER_CHECK, CallerTrace};

use crate::oauth2::{INTROSPECTION_PATH, REVOCATION_PATH, TOKEN_PATH};
use crate::openapi::Operation;
use crate::routes::{Routes, get};

pub(crate) const PATH: &str = "/.well-known/oauth-authorization-server";

/// The pages at this path are in `console`.
const AUTHORIZE_PATH: &str = "/oauth2/authorize";

const ANY_CLIENT: [&str; 3] = ["client_secret_basic", "client_secret_post", "none"];
const CLIENT_WITH_SECRET: [&str; 2] = ["client_secret_basic", "client_secret_post"];

pub(crate) fn routes() -> Routes {
    let metadata = Operation::new("describe_authorization_server", "What a client needs to know")
        .answers(200, "metadata");
    Routes::under("OAuth").at(PATH, [get(show, metadata)])
}

#[derive(Serialize)]
struct Metadata {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    revocation_endpoint: String,
    introspection_endpoint: String,
    scopes_supported: Vec<String>,
    response_types_supported: [&'static str; 1],
    response_modes_supported: [&'static str; 1],
    grant_types_supported: [&'static str; 2],
    token_endpoint_auth_methods_supported: [&'static str; 3],
    revocation_endpoint_auth_methods_supported: [&'static str; 3],
    introspection_endpoint_auth_methods_supported: [&'static str; 2],
    code_challenge_methods_supported: [&'static str; 1],
    prompt_values_supported: [&'static str; 4],
    authorization_response_iss_parameter_supported: bool,
}

/// Any client may read it, pages of other sites included: it holds nothing secret.
async fn show(
    State(app): State<App>,
    heard: Option<Extension<CallerTrace>>,
    headers: HeaderMap,
) -> Response {
    let mut answer = metadata(&app);
    if let Some(told) = heard.and_then(|Extension(heard)| heard.to_header())
        && may_know(&app, &headers).await
    {
        answer.headers_mut().insert(CALLER_CHECK, told);
        answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    answer
}

/// Whether the caller has the server's database. If the store cannot say so, the metadata are answered all the same.
async fn may_know(app: &App, headers: &HeaderMap) -> bool {
    let proof = headers.get(CALLER_CHECK).and_then(|proof| proof.to_str().ok());
    let Some(proof) = proof else { return false };
    verify_caller_check(app, proof).await.unwrap_or(false)
}

fn metadata(app: &App) -> Response {
    let public_url = app.public_url();
    let metadata = Metadata {
        issuer: public_url.as_str().to_owned(),
        authorization_endpoint: public_url.join(AUTHORIZE_PATH),
        token_endpoint: public_url.join(TOKEN_PATH),
        revocation_endpoint: public_url.join(REVOCATION_PATH),
        introspection_endpoint: public_url.join(INTROSPECTION_PATH),
        scopes_supported: Scope::ALL.iter().map(ToString::to_string).collect(),
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        token_endpoint_auth_methods_supported: ANY_CLIENT,
        revocation_endpoint_auth_methods_supported: ANY_CLIENT,
        introspection_endpoint_auth_methods_supported: CLIENT_WITH_SECRET,
        code_challenge_methods_supported: ["S256"],
        prompt_values_supported: ["none", "login", "consent", "select_account"],
        authorization_response_iss_parameter_supported: true,
    };
    let headers = [(CACHE_CONTROL, "public, max-age=3600"), (ACCESS_CONTROL_ALLOW_ORIGIN, "*")];
    (headers, Json(metadata)).into_response()
}
