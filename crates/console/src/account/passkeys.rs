//! A member renames a passkey or removes it. Adding one takes a script; see `crate::passkeys`.

use app::App;
use app::passkeys::{remove_passkey, rename_passkey};
use axum::Form;
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use web::CallerAddress;

use crate::account::{back, owner};
use crate::refusal::Refusal;

#[derive(Deserialize)]
pub(crate) struct RenameForm {
    csrf: String,
    id: String,
    name: String,
}

#[derive(Deserialize)]
pub(crate) struct RemoveForm {
    csrf: String,
    id: String,
}

/// `POST /account/rename-passkey`
pub(crate) async fn submit_rename(
    State(app): State<App>,
    headers: HeaderMap,
    form: Result<Form<RenameForm>, FormRejection>,
) -> Result<Response, Refusal> {
    let Form(form) = form.map_err(|_| Refusal::UnreadableForm)?;
    let Some(session) = owner(&app, &headers, &form.csrf).await? else { return Ok(back("")) };
    rename_passkey(&app, &session.member, &form.id, &form.name).await?;
    Ok(back("?done=passkey-renamed"))
}

/// `POST /account/remove-passkey`
pub(crate) async fn submit_remove(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    form: Result<Form<RemoveForm>, FormRejection>,
) -> Result<Response, Refusal> {
    let Form(form) = form.map_err(|_| Refusal::UnreadableForm)?;
    let Some(session) = owner(&app, &headers, &form.csrf).await? else { return Ok(back("")) };
    remove_passkey(&app, &session.member, &form.id, address).await?;
    Ok(back("?done=passkey-removed"))
}
