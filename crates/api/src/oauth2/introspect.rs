//! `POST /oauth2/introspect` (RFC 7662).

use app::App;
use app::grants::introspect;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;

use crate::oauth2::answer::{Failure, json, wrong_method};
use crate::oauth2::call::Call;

pub(crate) const PATH: &str = "/oauth2/introspect";

pub(super) fn router() -> Router<App> {
    Router::new().route(PATH, post(request).fallback(wrong_method))
}

async fn request(State(app): State<App>, call: Call) -> Result<Response, Failure> {
    Ok(json(&introspect(&app, call.as_token_call()).await?.to_json()))
}
