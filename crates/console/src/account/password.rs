//! `POST /account/change-password`: a member who knows the password chooses a new one.

use app::App;
use app::sessions::{ChangePassword, ChangePasswordError, change_password};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{AppendHeaders, IntoResponse as _, Response};
use secrecy::SecretString;
use web::{keep_session, nothing_done, signing_browser};

use crate::account::back;
use crate::caller::FormCaller;
use crate::own_password::removed_passkeys;
use crate::refusal::Refusal;

pub(crate) const PATH: &str = "/account/change-password";

pub(crate) async fn submit(
    State(app): State<App>,
    headers: HeaderMap,
    FormCaller { session, address, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let change = ChangePassword {
        current: SecretString::from(fields.get("current_password")),
        new: SecretString::from(fields.get("new_password")),
        removed_passkeys: removed_passkeys(&fields),
        browser: signing_browser(&app, &headers, address),
    };
    // Each try counts, also one that a member sends again.
    Ok(nothing_done(back(match change_password(&app, &session.member, change).await {
        Ok(started) => {
            let cookies = AppendHeaders(keep_session(&app, &started));
            return Ok((cookies, back("?done=password-changed")).into_response());
        }
        Err(ChangePasswordError::WrongPassword) => "?problem=wrong-password",
        Err(ChangePasswordError::SignedOut) => "",
        Err(ChangePasswordError::Password(_)) => "?problem=password-length",
        Err(ChangePasswordError::TooManyFailures(_)) => "?problem=too-many-tries",
        Err(ChangePasswordError::Busy(_)) => return Err(Refusal::Busy),
        Err(ChangePasswordError::Storage(error)) => return Err(error.into()),
    })))
}
