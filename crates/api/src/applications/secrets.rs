//! `/v1/applications/{id}/secrets`: an application moves from one secret to the next. A secret is told once, when it is made. Secrets have no
//! entity tag of their own: `If-Match` takes the application's.

use app::App;
use app::applications::{
    AddSecretError, RemoveSecretError, SecretRequest, add_secret, application_json, remove_secret,
    secret_json,
};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use oauth::Scope;
use secrecy::ExposeSecret as _;
use serde_json::Value;
use web::{Problem, ProblemCode};

use super::{asked, declared, known};
use crate::address::Path;
use crate::answers::{answer, answer_done};
use crate::conditional::{IfMatch, check_if_told};
use crate::editing::Caller;
use crate::json_body::sent;
use crate::routes::{Routes, delete, get, post};

app::dto! {
    /// A new secret.
    pub(crate) struct AddedSecretDto: "added_client_secret" {
        /// The secret's id.
        id: String,
        /// The secret. Assay shows it once.
        client_secret: String,
    }
}

pub(super) fn routes() -> Routes {
    let list_all =
        asked("list_secrets", "List an application's secrets, without the secrets themselves")
            .answers_list_of("client_secret");
    let add_one = asked("add_secret", "Make a secret")
        .if_match_is_heeded()
        .takes_request::<SecretRequest>()
        .answers_dto::<AddedSecretDto>(201)
        .may_be(&[409]);
    let remove_one = asked("remove_secret", "Remove a secret")
        .if_match_is_heeded()
        .answers_nothing()
        .may_be(&[409]);
    Routes::under("Applications")
        .at("/v1/applications/{id}/secrets", [get(list, list_all), post(add, add_one)])
        .at("/v1/applications/{id}/secrets/{secret}", [delete(remove, remove_one)])
}

async fn list(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let client = known(&app, &by, &id).await?;
    let body: Value = client.secrets.iter().map(secret_json).collect();
    Ok(answer(StatusCode::OK, body))
}

async fn add(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_match: Option<IfMatch>,
    request: Request,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let client = known(&app, &by, &id).await?;
    check_if_told(if_match, &application_json(&client))?;
    let SecretRequest { note } = sent(request).await?;
    let added = add_secret(&app, &by, &client.client_id, note.0.unwrap_or_default()).await;
    let added = added.map_err(|error| match error {
        AddSecretError::UnknownApplication => Problem::not_found(),
        AddSecretError::Declared => declared(&error),
        AddSecretError::Public => Problem::new(ProblemCode::PublicApplication, error.to_string()),
        AddSecretError::TooMany => Problem::new(ProblemCode::TooManySecrets, error.to_string()),
        AddSecretError::Fault(fault) => Problem::faults(&[fault.placed()]),
        AddSecretError::Role(error) => error.into(),
        AddSecretError::Storage(error) => error.into(),
    })?;
    let client_secret = added.client_secret.expose_secret().to_owned();
    let body = AddedSecretDto { id: added.id, client_secret };
    Ok(answer(StatusCode::CREATED, body))
}

async fn remove(
    State(app): State<App>,
    Path((id, secret)): Path<(String, String)>,
    caller: Caller,
    if_match: Option<IfMatch>,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let client = known(&app, &by, &id).await?;
    check_if_told(if_match, &application_json(&client))?;
    let removed = remove_secret(&app, &by, &client.client_id, &secret).await;
    removed.map_err(|error| match error {
        RemoveSecretError::UnknownApplication | RemoveSecretError::UnknownSecret => {
            Problem::not_found()
        }
        RemoveSecretError::Declared => declared(&error),
        RemoveSecretError::Role(error) => error.into(),
        RemoveSecretError::Storage(error) => error.into(),
    })?;
    Ok(answer_done())
}
