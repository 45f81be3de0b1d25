//! `GET /v1/me`: whose token this is, and what it allows. Every token may ask.

use app::App;
use app::members::{RoleDto, TokenHolder, roles, token_holder};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use oauth::Scope;
use web::{Bearer, Problem};

use crate::answers::answer;
use crate::openapi::Operation;
use crate::routes::{Routes, get};

app::dto! {
    /// Whose token this is, and what it allows.
    pub(crate) struct TokenHolderDto: "token_holder" {
        /// The member's id.
        id: String,
        /// The member's email address.
        email: String,
        /// The member's roles.
        grants: Vec<RoleDto>,
        /// What the token allows.
        scopes: Vec<String> where {"items": {"type": "string", "enum": (Scope::ALL.map(Scope::as_str))}},
        /// The application that has the token.
        client_id: String,
    }
}

pub(crate) fn routes() -> Routes {
    let whose = Operation::new("who_am_i", "Read which member and scopes the token stands for")
        .needs_any_token()
        .answers_dto::<TokenHolderDto>(200);
    Routes::under("Members").at("/v1/me", [get(show, whose)])
}

async fn show(State(app): State<App>, bearer: Bearer) -> Result<Response, Problem> {
    let grant = bearer.grant(&app).await?;
    let holder = token_holder(&app, grant.member).await?.ok_or_else(Problem::not_found)?;
    let TokenHolder { email, grants } = holder;
    let body = TokenHolderDto {
        id: grant.member.to_string(),
        email: email.to_string(),
        grants: roles(&grants),
        scopes: grant.scope.iter().map(|scope| scope.as_str().to_owned()).collect(),
        client_id: grant.client_id.to_string(),
    };
    Ok(answer(StatusCode::OK, body))
}
