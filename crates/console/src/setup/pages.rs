//! The two pages of set-up: the one that asks for the token, and the form.

use app::App;
use app::setup::{SetUpFault, SetUpTokenError, needs_project};
use askama::Template;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use web::{FormTargets, SetUpCookie};

use crate::fields::Fields;
use crate::page::page;
use crate::refusal::Refusal;
use crate::set_up_faults::SetUpFaults;
use crate::words::sentence;

/// The page that says where the token is, and takes it.
#[derive(Template)]
#[template(path = "setup_token.html")]
pub(crate) struct TokenPage {
    alert: Option<String>,
}

#[derive(Template)]
#[template(path = "setup.html")]
struct SetUpPage<'a> {
    form_token: &'a str,
    form: &'a SetUpForm,
    /// Whether the first project is made, too.
    is_project_needed: bool,
    faults: SetUpFaults<'a>,
}

/// What a person filled in; never the password.
#[derive(Debug, Default)]
pub(crate) struct SetUpForm {
    pub(crate) email: String,
    pub(crate) name: String,
    pub(crate) key: String,
    pub(crate) site: String,
}

impl SetUpForm {
    pub(crate) fn read(fields: &Fields) -> Self {
        let field = |name| fields.get(name).to_owned();
        Self { email: field("email"), name: field("name"), key: field("key"), site: field("site") }
    }
}

/// The form, with the faults of what was sent.
pub(crate) async fn form_page(
    app: &App,
    cookie: &SetUpCookie,
    form: &SetUpForm,
    faults: &[SetUpFault],
) -> Result<Response, Refusal> {
    let is_project_needed = needs_project(app).await?;
    let token = cookie.form_token().shown();
    let faults = SetUpFaults(faults);
    let template = SetUpPage { form_token: token.as_str(), form, is_project_needed, faults };
    let status = if faults.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    Ok(page(status, &template, FormTargets::OwnPages))
}

impl TokenPage {
    /// The page, after a token that was refused or before any.
    pub(crate) fn answer(refused: Option<SetUpTokenError>) -> Response {
        let (status, retry_after) = match &refused {
            None => (StatusCode::OK, None),
            Some(SetUpTokenError::TooManyFailures(failures)) => {
                (StatusCode::TOO_MANY_REQUESTS, Some(failures.retry_after_seconds))
            }
            Some(_) => (StatusCode::FORBIDDEN, None),
        };
        let template = Self { alert: refused.map(|error| sentence(&error.to_string())) };
        let mut response = page(status, &template, FormTargets::OwnPages);
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
