//! A member renames a passkey or removes it. Adding one takes a script; see `crate::passkeys`.

use app::App;
use app::passkeys::{remove_passkey, rename_passkey};
use axum::extract::State;
use axum::response::Response;

use crate::account::back;
use crate::caller::FormCaller;
use crate::refusal::Refusal;

/// `POST /account/rename-passkey`
pub(crate) async fn submit_rename(
    State(app): State<App>,
    FormCaller { session, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    rename_passkey(&app, &session.member, fields.get("id"), fields.get("name")).await?;
    Ok(back("?done=passkey-renamed"))
}

/// `POST /account/remove-passkey`
pub(crate) async fn submit_remove(
    State(app): State<App>,
    FormCaller { session, address, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    remove_passkey(&app, &session.member, fields.get("id"), address).await?;
    Ok(back("?done=passkey-removed"))
}
