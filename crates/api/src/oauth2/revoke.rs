//! `POST /oauth2/revoke` (RFC 7009). Whatever became of the token, a client that proved who it is gets the same answer.

use app::App;
use app::grants::revoke;
use axum::extract::State;
use axum::response::Response;
use serde_json::json;

use crate::oauth2::answer::{Failure, json};
use crate::oauth2::call::{Call, UnreadCall};
use crate::oauth2::description::client_call;
use crate::routes::{Routes, post};

pub(crate) const PATH: &str = "/oauth2/revoke";

pub(super) fn routes() -> Routes {
    let description = client_call("revoke_token", "End a token", "token_to_judge", "nothing");
    Routes::under("OAuth").at(PATH, [post(request, description)])
}

/// An empty object, for clients that read every answer as JSON.
async fn request(State(app): State<App>, call: Result<Call, UnreadCall>) -> Response {
    let call = match call {
        Ok(call) => call,
        Err(unread) => return unread.let_page_read(),
    };
    let answered = revoke(&app, call.as_token_call()).await.map(|()| json(&json!({})));
    call.let_page_read(answered.map_err(Failure::from))
}
