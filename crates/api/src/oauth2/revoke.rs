//! `POST /oauth2/revoke` (RFC 7009). Whatever became of the token, a client that proved who it is gets the same answer.

use app::App;
use app::grants::revoke;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use serde_json::json;

use crate::oauth2::answer::{Failure, json, wrong_method};
use crate::oauth2::call::Call;

pub(crate) const PATH: &str = "/oauth2/revoke";

pub(super) fn router() -> Router<App> {
    Router::new().route(PATH, post(request).fallback(wrong_method))
}

/// An empty object, for clients that read every answer as JSON.
async fn request(State(app): State<App>, call: Call) -> Result<Response, Failure> {
    revoke(&app, call.as_token_call()).await?;
    Ok(json(&json!({})))
}
