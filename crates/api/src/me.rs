//! `GET /v1/me`: whose token this is, and what it allows. Every token may ask.

use app::App;
use app::members::{TokenHolder, grants_json, token_holder};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;
use web::{Bearer, Problem};

use crate::answers::answer;
use crate::openapi::Operation;
use crate::routes::{Routes, get};

pub(crate) fn routes() -> Routes {
    let whose = Operation::new("who_am_i", "Whose token this is, and what it allows")
        .needs_any_token()
        .answers(200, "token_holder");
    Routes::under("Members").at("/v1/me", [get(show, whose)])
}

async fn show(State(app): State<App>, bearer: Bearer) -> Result<Response, Problem> {
    let grant = bearer.grant(&app).await?;
    let holder = token_holder(&app, grant.member).await?.ok_or_else(Problem::not_found)?;
    let TokenHolder { email, grants } = holder;
    let scopes: Vec<&str> = grant.scope.iter().map(oauth::Scope::as_str).collect();
    let body = json!({
        "id": grant.member.to_string(),
        "email": &*email,
        "grants": grants_json(&grants),
        "scopes": scopes,
        "client_id": grant.client_id.as_str(),
    });
    Ok(answer(StatusCode::OK, body))
}
