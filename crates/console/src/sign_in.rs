//! `/sign-in`: what happens when the form is sent. The form itself is in `invitation.rs`, because an authorization request shows it
//! too.

use app::App;
use app::sessions::{SignIn, SignInError, sign_in};
use axum::Form;
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::HeaderMap;
use axum::response::{AppendHeaders, IntoResponse as _, Redirect, Response};
use secrecy::SecretString;
use serde::Deserialize;
use web::{CallerAddress, Session, Stranger, is_from_elsewhere, keep_session, signing_browser};

use crate::invitation::{Invitation, Trouble};
use crate::refusal::Refusal;
use crate::return_address::ReturnAddress;

#[derive(Deserialize)]
pub(crate) struct SignInForm {
    email: String,
    password: String,
    csrf: String,
    return_to: String,
}

/// `GET /sign-in`
pub(crate) async fn show(State(app): State<App>, headers: HeaderMap) -> Result<Response, Refusal> {
    if Session::find(&app, &headers).await?.is_some() {
        return Ok(Redirect::to("/").into_response());
    }
    Ok(Invitation::new(&ReturnAddress::home()).answer(&app, &headers))
}

/// `POST /sign-in`
pub(crate) async fn submit(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    form: Result<Form<SignInForm>, FormRejection>,
) -> Result<Response, Refusal> {
    let Form(form) = form.map_err(|_| Refusal::UnreadableForm)?;
    let stranger = Stranger::find(&app, &headers).ok_or(Refusal::ForeignForm)?;
    if is_from_elsewhere(&app, &headers) || !stranger.form_token().is(&form.csrf) {
        return Err(Refusal::ForeignForm);
    }
    let return_to = ReturnAddress::parse(&form.return_to).unwrap_or_else(ReturnAddress::home);
    let password = SecretString::from(form.password);
    let browser = signing_browser(&app, &headers, address);
    let attempt = SignIn { email: form.email.clone(), password, browser };
    let trouble = match sign_in(&app, attempt).await {
        Ok(session) => {
            let cookie = AppendHeaders(keep_session(&app, &session));
            return Ok((cookie, Redirect::to(return_to.as_str())).into_response());
        }
        Err(SignInError::WrongCredentials) => Trouble::WrongCredentials,
        Err(SignInError::TooManyFailures(failures)) => Trouble::TooManyFailures(failures),
        Err(SignInError::Busy(_)) => return Err(Refusal::Busy),
        Err(SignInError::Storage(error)) => return Err(error.into()),
    };
    let invitation = Invitation::again(&app, &return_to, &form.email, trouble).await?;
    Ok(invitation.answer(&app, &headers))
}
