//! Passkeys in the browser: the challenges that `assets/passkeys.js` fetches, and the forms that it sends with the answers. A sign-in
//! with a passkey continues as one with a password.

use app::App;
use app::passkeys::{
    AddPasskey, AddPasskeyError, BeginAddingError, Ceremony, PasskeySignIn, PasskeySignInError,
    add_passkey, begin_adding, begin_passkey_sign_in, sign_in_by_passkey,
};
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{AppendHeaders, IntoResponse as _, Redirect, Response};
use axum::{Form, Json};
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::json;
use web::{CallerAddress, Session, is_from_elsewhere, keep_session, signing_browser};

use crate::account;
use crate::caller::{FormCaller, check_signed_out_form, sender};
use crate::refusal::Refusal;
use crate::return_address::ReturnAddress;
use crate::sign_in_page::{SignInPage, Trouble};

pub(crate) const SIGN_IN_QUESTION_PATH: &str = "/sign-in/passkey/question";
pub(crate) const SIGN_IN_PATH: &str = "/sign-in/passkey";
pub(crate) const ADD_QUESTION_PATH: &str = "/account/add-passkey/question";
pub(crate) const ADD_PATH: &str = "/account/add-passkey";

#[derive(Deserialize)]
pub(crate) struct QuestionForm {
    csrf: String,
    /// The member's, where they signed in too long ago.
    #[serde(default)]
    password: String,
}

/// What a device answered, and to what.
#[derive(Deserialize)]
pub(crate) struct AnswerForm {
    csrf: String,
    ticket: String,
    credential: String,
    #[serde(default)]
    return_to: String,
}

/// `POST /sign-in/passkey/question`
pub(crate) async fn ask_signed_out(
    State(app): State<App>,
    headers: HeaderMap,
    form: Result<Form<QuestionForm>, FormRejection>,
) -> Result<Response, Refusal> {
    let Form(form) = form.map_err(|_| Refusal::UnreadableForm)?;
    check_signing(&app, &headers, &form.csrf).await?;
    answer(begin_passkey_sign_in(&app, &form.csrf).await?)
}

/// `POST /sign-in/passkey`
pub(crate) async fn submit_sign_in(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    form: Result<Form<AnswerForm>, FormRejection>,
) -> Result<Response, Refusal> {
    let Form(form) = form.map_err(|_| Refusal::UnreadableForm)?;
    check_signing(&app, &headers, &form.csrf).await?;
    let return_to = ReturnAddress::parse(&form.return_to).unwrap_or_else(ReturnAddress::home);
    let answer = PasskeySignIn {
        ticket: form.ticket,
        form_token: form.csrf,
        credential: form.credential,
        browser: signing_browser(&app, &headers, address),
    };
    let trouble = match sign_in_by_passkey(&app, answer).await {
        Ok(session) => {
            let cookies = AppendHeaders(keep_session(&app, &session));
            return Ok((cookies, Redirect::to(return_to.as_str())).into_response());
        }
        Err(PasskeySignInError::NotAsked) => Trouble::PasskeyTooLate,
        Err(PasskeySignInError::NotRight) => Trouble::UnknownPasskey,
        Err(PasskeySignInError::Storage(error)) => return Err(error.into()),
    };
    Ok(SignInPage::again(&app, &return_to, "", trouble).await?.answer(&app, &headers))
}

/// `POST /account/add-passkey/question`
pub(crate) async fn ask_member(
    State(app): State<App>,
    headers: HeaderMap,
    form: Result<Form<QuestionForm>, FormRejection>,
) -> Result<Response, Refusal> {
    let Form(form) = form.map_err(|_| Refusal::UnreadableForm)?;
    let session = sender(&app, &headers, &form.csrf).await?.ok_or(Refusal::ForeignForm)?;
    let password = Some(form.password).filter(|text| !text.is_empty()).map(SecretString::from);
    match begin_adding(&app, &session.member, &form.csrf, password).await {
        Ok(ceremony) => answer(ceremony),
        Err(BeginAddingError::ProofNeeded) => Ok(refuse(StatusCode::FORBIDDEN, "proof_needed")),
        Err(BeginAddingError::WrongPassword) => Ok(refuse(StatusCode::FORBIDDEN, "wrong_password")),
        Err(BeginAddingError::TooManyFailures(_)) => {
            Ok(refuse(StatusCode::TOO_MANY_REQUESTS, "too_many_tries"))
        }
        Err(BeginAddingError::Busy(_)) => Err(Refusal::Busy),
        Err(BeginAddingError::Storage(error)) => Err(error.into()),
    }
}

/// `POST /account/add-passkey`
pub(crate) async fn submit_add(
    State(app): State<App>,
    headers: HeaderMap,
    FormCaller { session, address, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let field = |name| fields.get(name).to_owned();
    let answer = AddPasskey {
        ticket: field("ticket"),
        form_token: field("csrf"),
        credential: field("credential"),
        user_agent: signing_browser(&app, &headers, address).user_agent,
        address,
    };
    Ok(account::back(match add_passkey(&app, &session.member, answer).await {
        Ok(()) => "?done=passkey-added",
        Err(AddPasskeyError::NotAsked) => "?problem=passkey-too-late",
        Err(AddPasskeyError::NotRight) => "?problem=passkey-refused",
        Err(AddPasskeyError::TooMany) => "?problem=too-many-passkeys",
        Err(AddPasskeyError::Storage(error)) => return Err(error.into()),
    }))
}

/// What the script is to say.
fn refuse(status: StatusCode, code: &'static str) -> Response {
    (status, [(CACHE_CONTROL, "no-store")], Json(json!({"code": code}))).into_response()
}

/// A member with a session signs in once more, to prove their identity; without a session, the browser comes from the sign-in form.
async fn check_signing(app: &App, headers: &HeaderMap, form_token: &str) -> Result<(), Refusal> {
    match Session::find(app, headers).await? {
        Some(session)
            if session.form_token().is(form_token) && !is_from_elsewhere(app, headers) =>
        {
            Ok(())
        }
        Some(_) | None => check_signed_out_form(app, headers, form_token),
    }
}

fn answer(ceremony: Option<Ceremony>) -> Result<Response, Refusal> {
    let Ceremony { options, ticket } = ceremony.ok_or(Refusal::NoSuchPage)?;
    let body = Json(json!({"options": options, "ticket": ticket}));
    Ok(([(CACHE_CONTROL, "no-store")], body).into_response())
}
