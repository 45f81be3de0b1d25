//! `/sign-in`: what happens when the form is sent. The form itself is in `sign_in_page.rs`, because an authorization request shows it
//! too.

use app::App;
use app::sessions::{SignIn, SignInError, SignedInWith, sign_in};
use app::setup::needs_setup;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{AppendHeaders, IntoResponse as _, Redirect, Response};
use secrecy::SecretString;
use web::{Session, keep_session};

use crate::caller::SignedOutForm;
use crate::refusal::Refusal;
use crate::return_address::ReturnAddress;
use crate::sign_in_page::{SignInPage, Trouble};
use crate::{own_password, setup};

/// `GET /sign-in`
pub(crate) async fn show(State(app): State<App>, headers: HeaderMap) -> Result<Response, Refusal> {
    if Session::find(&app, &headers).await?.is_some() {
        return Ok(Redirect::to("/").into_response());
    }
    if needs_setup(&app).await? {
        return Ok(Redirect::to(setup::PATH).into_response());
    }
    Ok(SignInPage::new(&ReturnAddress::home()).answer(&app, &headers))
}

/// `POST /sign-in`
pub(crate) async fn submit(
    State(app): State<App>,
    headers: HeaderMap,
    SignedOutForm { fields, browser }: SignedOutForm,
) -> Result<Response, Refusal> {
    let (email, form_token) = (fields.get("email"), fields.get("csrf"));
    let return_to = ReturnAddress::parse(fields.get("return_to"));
    let return_to = return_to.unwrap_or_else(ReturnAddress::home);
    let attempt = SignIn {
        email: email.to_owned(),
        password: SecretString::from(fields.get("password")),
        form_token: form_token.to_owned(),
        browser,
    };
    let trouble = match sign_in(&app, attempt).await {
        Ok(SignedInWith::Password(session)) => {
            let cookie = AppendHeaders(keep_session(&app, &session));
            return Ok((cookie, Redirect::to(return_to.as_str())).into_response());
        }
        Ok(SignedInWith::TemporaryPassword(due)) => {
            return own_password::ask(&app, form_token, &return_to, due).await;
        }
        Err(SignInError::WrongCredentials) => Trouble::WrongCredentials,
        Err(SignInError::TooManyFailures(failures)) => Trouble::TooManyFailures(failures),
        Err(SignInError::Busy(_)) => return Err(Refusal::Busy),
        Err(SignInError::Storage(error)) => return Err(error.into()),
    };
    let sign_in_page = SignInPage::again(&app, &return_to, email, trouble).await?;
    Ok(sign_in_page.answer(&app, &headers))
}
