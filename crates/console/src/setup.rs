//! `/setup`: the first page of a server without members. The token comes with the address that `assay serve` prints, or is pasted; a cookie
//! keeps it, so that the address in the browser's bar has none. What the pages show is in `setup/pages.rs`.

mod pages;

use app::App;
use app::setup::{
    FirstProject, SetUp, SetUpError, SetUpTokenError, check_setup_token, needs_setup, set_up,
};
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::{AppendHeaders, IntoResponse as _, Redirect, Response};
use secrecy::SecretString;
use web::{CallerAddress, SetUpCookie, is_from_elsewhere, keep_session, signing_browser};

use crate::SIGN_IN_PATH;
use crate::fields::Fields;
use crate::refusal::Refusal;
use crate::setup::pages::{SetUpForm, TokenPage, form_page};

pub(crate) const PATH: &str = "/setup";
pub(crate) const TOKEN_PATH: &str = "/setup/token";

/// The name of the token in the printed address.
const TOKEN: &str = "token";

/// `GET /setup`
pub(crate) async fn show(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    if !needs_setup(&app).await? {
        return Ok(Redirect::to(SIGN_IN_PATH).into_response());
    }
    if let Some(token) = query.as_deref().and_then(token_in) {
        return keep_token(&app, address, token).await;
    }
    let Some(cookie) = SetUpCookie::find(&app, &headers) else {
        return Ok(TokenPage::answer(None));
    };
    match check_setup_token(&app, cookie.token(), address).await {
        Ok(()) => form_page(&app, &cookie, &SetUpForm::default(), &[]).await,
        Err(error) => answer_token_error(error),
    }
}

/// `POST /setup/token`: the token, or the whole address, pasted.
pub(crate) async fn submit_token(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let fields = Fields::read(&body).ok_or(Refusal::UnreadableForm)?;
    if is_from_elsewhere(&app, &headers) {
        return Err(Refusal::ForeignForm);
    }
    let pasted = fields.get(TOKEN).trim();
    let query = pasted.split_once('?').map(|(_, query)| query);
    let token = query.and_then(token_in).unwrap_or_else(|| SecretString::from(pasted));
    keep_token(&app, address, token).await
}

/// `POST /setup`
pub(crate) async fn submit(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let fields = Fields::read(&body).ok_or(Refusal::UnreadableForm)?;
    let Some(cookie) = SetUpCookie::find(&app, &headers) else {
        return Ok(Redirect::to(PATH).into_response());
    };
    if is_from_elsewhere(&app, &headers) || !cookie.form_token().is(fields.get("csrf")) {
        return Err(Refusal::ForeignForm);
    }
    let form = SetUpForm::read(&fields);
    let request = SetUp {
        token: cookie.token().clone(),
        email: form.email.clone(),
        password: SecretString::from(fields.get("password")),
        project: FirstProject {
            name: form.name.clone(),
            key: form.key.clone(),
            site: form.site.clone(),
        },
        browser: signing_browser(&app, &headers, address),
    };
    match set_up(&app, request).await {
        Ok(done) => {
            let cookies = AppendHeaders(keep_session(&app, &done.session));
            let forgotten = AppendHeaders([SetUpCookie::forget(&app)]);
            let install = |id| format!("/projects/{id}/install");
            let next = done.project.map_or_else(|| "/".to_owned(), install);
            Ok((cookies, forgotten, Redirect::to(&next)).into_response())
        }
        Err(SetUpError::Token(error)) => answer_token_error(error),
        Err(SetUpError::Invalid(faults)) => form_page(&app, &cookie, &form, &faults).await,
        Err(SetUpError::Busy(_)) => Err(Refusal::Busy),
        Err(SetUpError::Storage(error)) => Err(error.into()),
    }
}

/// Lets the browser keep a right token, and leads it to the form.
async fn keep_token(
    app: &App,
    address: std::net::IpAddr,
    token: SecretString,
) -> Result<Response, Refusal> {
    match check_setup_token(app, &token, address).await {
        Ok(()) => {
            let cookie = AppendHeaders([SetUpCookie::of(token).keep(app)]);
            Ok((cookie, Redirect::to(PATH)).into_response())
        }
        Err(error) => answer_token_error(error),
    }
}

fn answer_token_error(error: SetUpTokenError) -> Result<Response, Refusal> {
    match error {
        SetUpTokenError::AlreadySetUp => Err(Refusal::AlreadySetUp),
        SetUpTokenError::Storage(error) => Err(error.into()),
        wrong @ (SetUpTokenError::Wrong | SetUpTokenError::TooManyFailures(_)) => {
            Ok(TokenPage::answer(Some(wrong)))
        }
    }
}

fn token_in(query: &str) -> Option<SecretString> {
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(name, _)| name == TOKEN).map(|(_, token)| SecretString::from(token.into_owned()))
}
