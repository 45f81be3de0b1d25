//! `POST /oauth2/introspect` (RFC 7662).

use app::App;
use app::grants::introspect;
use axum::extract::State;
use axum::response::Response;

use crate::oauth2::answer::{Failure, json};
use crate::oauth2::call::Call;
use crate::oauth2::description::client_call;
use crate::routes::{Routes, post};

pub(crate) const PATH: &str = "/oauth2/introspect";

pub(super) fn routes() -> Routes {
    let description = client_call(
        "introspect_token",
        "Whether a token is good",
        "token_to_judge",
        "introspection",
    );
    Routes::under("OAuth").at(PATH, [post(request, description)])
}

async fn request(State(app): State<App>, call: Call) -> Result<Response, Failure> {
    Ok(json(&introspect(&app, call.as_token_call()).await?.to_json()))
}
