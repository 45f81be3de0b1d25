//! `POST /account/change-password`: a member who knows the password chooses another.

use app::App;
use app::members::{ChangePassword, ChangePasswordError, change_password};
use axum::Form;
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::HeaderMap;
use axum::response::Response;
use secrecy::SecretString;
use serde::Deserialize;
use web::CallerAddress;

use crate::account::{back, owner};
use crate::refusal::Refusal;

#[derive(Deserialize)]
pub(crate) struct PasswordForm {
    csrf: String,
    current_password: String,
    new_password: String,
}

pub(crate) async fn submit(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    form: Result<Form<PasswordForm>, FormRejection>,
) -> Result<Response, Refusal> {
    let Form(form) = form.map_err(|_| Refusal::UnreadableForm)?;
    let Some(session) = owner(&app, &headers, &form.csrf).await? else { return Ok(back("")) };
    let change = ChangePassword {
        current: SecretString::from(form.current_password),
        new: SecretString::from(form.new_password),
        session: SecretString::from(session.credential()),
        address,
    };
    Ok(back(match change_password(&app, &session.member, change).await {
        Ok(()) => "?done=password-changed",
        Err(ChangePasswordError::WrongPassword) => "?problem=wrong-password",
        Err(ChangePasswordError::UnusableLength) => "?problem=password-length",
        Err(ChangePasswordError::TooManyFailures(_)) => "?problem=too-many-tries",
        Err(ChangePasswordError::Busy(_)) => return Err(Refusal::Busy),
        Err(ChangePasswordError::Storage(error)) => return Err(error.into()),
    }))
}
