//! `POST /oauth2/token` (RFC 6749 section 3.2).

use app::App;
use app::grants::request_tokens;
use axum::extract::State;
use axum::response::Response;

use crate::oauth2::answer::{Failure, secret_json};
use crate::oauth2::call::{Call, UnreadCall};
use crate::oauth2::description::client_call;
use crate::routes::{Routes, post};

pub(crate) const PATH: &str = "/oauth2/token";

pub(super) fn routes() -> Routes {
    let description = client_call(
        "request_tokens",
        "Tokens for a code or a refresh token",
        "token_request",
        "tokens",
    );
    Routes::under("OAuth").at(PATH, [post(request, description)])
}

async fn request(State(app): State<App>, call: Result<Call, UnreadCall>) -> Response {
    let call = match call {
        Ok(call) => call,
        Err(unread) => return unread.let_page_read(),
    };
    let answered = request_tokens(&app, call.as_token_call()).await;
    let answered = answered.map(|tokens| secret_json(&tokens.to_json()));
    call.let_page_read(answered.map_err(Failure::from))
}
