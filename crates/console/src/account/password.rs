//! `POST /account/change-password`: a member who knows the password chooses a new one.

use app::App;
use app::sessions::{ChangePassword, ChangePasswordError, change_password};
use axum::extract::rejection::RawFormRejection;
use axum::extract::{RawForm, State};
use axum::http::HeaderMap;
use axum::response::Response;
use secrecy::SecretString;
use serde::Deserialize;
use web::CallerAddress;

use crate::account::{back, owner};
use crate::own_password::removed_passkeys;
use crate::refusal::Refusal;

#[derive(Deserialize)]
struct PasswordForm {
    csrf: String,
    current_password: String,
    new_password: String,
}

pub(crate) async fn submit(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    form: Result<RawForm, RawFormRejection>,
) -> Result<Response, Refusal> {
    let RawForm(bytes) = form.map_err(|_| Refusal::UnreadableForm)?;
    let form: PasswordForm =
        serde_urlencoded::from_bytes(&bytes).map_err(|_| Refusal::UnreadableForm)?;
    let Some(session) = owner(&app, &headers, &form.csrf).await? else { return Ok(back("")) };
    let change = ChangePassword {
        current: SecretString::from(form.current_password),
        new: SecretString::from(form.new_password),
        removed_passkeys: removed_passkeys(&bytes),
        address,
    };
    Ok(back(match change_password(&app, &session.member, change).await {
        Ok(()) => "?done=password-changed",
        Err(ChangePasswordError::WrongPassword) => "?problem=wrong-password",
        Err(ChangePasswordError::SignedOut) => "",
        Err(ChangePasswordError::UnusableLength) => "?problem=password-length",
        Err(ChangePasswordError::TooManyFailures(_)) => "?problem=too-many-tries",
        Err(ChangePasswordError::Busy(_)) => return Err(Refusal::Busy),
        Err(ChangePasswordError::Storage(error)) => return Err(error.into()),
    }))
}
