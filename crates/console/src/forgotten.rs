//! `/forgotten`: a member who forgot the password asks for a link by mail, and chooses another with it. What the pages say does not tell
//! whether a member has an address.

use app::sessions::{
    ChooseForgotten, ChooseForgottenError, FORGOTTEN_CHOICE_PATH, choose_forgotten, find_forgotten,
    forget_password,
};
use app::{App, TooManyFailures};
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{AppendHeaders, IntoResponse as _, Redirect, Response};
use axum::routing::get;
use secrecy::SecretString;
use web::{FormTargets, PreAuthSession, keep_session};

use crate::caller::SignedOutForm;
use crate::fields::Fields;
use crate::page::page;
use crate::refusal::Refusal;

const PATH: &str = "/forgotten";

#[derive(Template)]
#[template(path = "forgotten.html")]
struct ForgottenPage<'a> {
    sends_mail: bool,
    state: LinkRequestState,
    form_token: &'a str,
}

/// What the page says about the request for a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LinkRequestState {
    NotYet,
    Done,
    TooOften(TooManyFailures),
    /// The link of a mail opens nothing.
    Gone,
}

#[derive(Template)]
#[template(path = "forgotten_choice.html")]
struct ChoicePage<'a> {
    email: &'a str,
    form_token: &'a str,
    token: &'a str,
    is_refused: bool,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route(PATH, get(show).post(submit))
        .route(FORGOTTEN_CHOICE_PATH, get(show_choice).post(submit_choice))
}

/// `GET /forgotten`
async fn show(State(app): State<App>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let is_done = query.as_deref() == Some("done=sent");
    answer(&app, &headers, if is_done { LinkRequestState::Done } else { LinkRequestState::NotYet })
}

/// `POST /forgotten`
async fn submit(
    State(app): State<App>,
    headers: HeaderMap,
    SignedOutForm { fields, browser }: SignedOutForm,
) -> Result<Response, Refusal> {
    Ok(match forget_password(&app, fields.get("email"), browser.address) {
        Ok(()) => Redirect::to(&format!("{PATH}?done=sent")).into_response(),
        Err(failures) => answer(&app, &headers, LinkRequestState::TooOften(failures)),
    })
}

/// `GET /forgotten/choose?token=…`
async fn show_choice(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let fields = Fields::read(query.unwrap_or_default().as_bytes()).ok_or(Refusal::NoSuchPage)?;
    choice(&app, &headers, fields.get("token").trim(), StatusCode::OK).await
}

/// `POST /forgotten/choose`
async fn submit_choice(
    State(app): State<App>,
    headers: HeaderMap,
    SignedOutForm { fields, browser }: SignedOutForm,
) -> Result<Response, Refusal> {
    let token = fields.get("token");
    let form = ChooseForgotten {
        token: token.to_owned(),
        new: SecretString::from(fields.get("new_password")),
        browser,
    };
    match choose_forgotten(&app, form).await {
        Ok(session) => {
            let cookies = AppendHeaders(keep_session(&app, &session));
            Ok((cookies, Redirect::to("/")).into_response())
        }
        Err(ChooseForgottenError::Password(_)) => {
            choice(&app, &headers, token, StatusCode::UNPROCESSABLE_ENTITY).await
        }
        Err(error) => over(&app, &headers, error),
    }
}

fn answer(app: &App, headers: &HeaderMap, state: LinkRequestState) -> Response {
    let pre_auth_session = PreAuthSession::of(app, headers);
    let form_token = pre_auth_session.form_token().shown();
    let template =
        ForgottenPage { sends_mail: app.sends_mail(), state, form_token: form_token.as_str() };
    let status = match state {
        LinkRequestState::NotYet | LinkRequestState::Done => StatusCode::OK,
        LinkRequestState::TooOften(_) => StatusCode::TOO_MANY_REQUESTS,
        LinkRequestState::Gone => StatusCode::GONE,
    };
    let shown = page(status, &template, FormTargets::OwnPages);
    let mut response = (AppendHeaders([pre_auth_session.keep(app)]), shown).into_response();
    if let LinkRequestState::TooOften(failures) = state {
        let seconds = HeaderValue::from(failures.retry_after_seconds);
        response.headers_mut().insert(RETRY_AFTER, seconds);
    }
    response
}

async fn choice(
    app: &App,
    headers: &HeaderMap,
    token: &str,
    status: StatusCode,
) -> Result<Response, Refusal> {
    let email = match find_forgotten(app, token).await {
        Ok(email) => email,
        Err(error) => return over(app, headers, error),
    };
    let pre_auth_session = PreAuthSession::of(app, headers);
    let form_token = pre_auth_session.form_token().shown();
    let is_refused = status != StatusCode::OK;
    let template = ChoicePage { email: &email, form_token: form_token.as_str(), token, is_refused };
    let shown = page(status, &template, FormTargets::OwnPages);
    Ok((AppendHeaders([pre_auth_session.keep(app)]), shown).into_response())
}

fn over(app: &App, headers: &HeaderMap, error: ChooseForgottenError) -> Result<Response, Refusal> {
    match error {
        ChooseForgottenError::Gone | ChooseForgottenError::Password(_) => {
            Ok(answer(app, headers, LinkRequestState::Gone))
        }
        ChooseForgottenError::Busy(_) => Err(Refusal::Busy),
        ChooseForgottenError::Storage(error) => Err(error.into()),
    }
}
