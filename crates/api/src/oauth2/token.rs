//! `POST /oauth2/token` (RFC 6749 section 3.2).

use app::App;
use app::grants::request_tokens;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;

use crate::oauth2::answer::{Failure, secret_json, wrong_method};
use crate::oauth2::call::Call;

pub(crate) const PATH: &str = "/oauth2/token";

pub(super) fn router() -> Router<App> {
    Router::new().route(PATH, post(request).fallback(wrong_method))
}

async fn request(State(app): State<App>, call: Call) -> Result<Response, Failure> {
    let tokens = request_tokens(&app, call.as_token_call()).await?;
    Ok(secret_json(&tokens.to_json()))
}
