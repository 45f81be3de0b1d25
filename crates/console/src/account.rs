//! `/account`: what acts in a member's name, and where they are signed in. Both can be ended here, by plain forms that lead back to the
//! page, which then says what was done.

use app::App;
use app::connections::{ConnectedApplication, disconnect, list_connected_applications};
use app::sessions::{OpenSession, end_other_sessions, end_session, list_sessions};
use askama::Template;
use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{OriginalUri, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use oauth::{Moment, Scope};
use serde::Deserialize;
use web::{CallerAddress, FormTargets, Session, is_from_elsewhere};

use crate::invitation::Invitation;
use crate::page::page;
use crate::refusal::Refusal;
use crate::return_address::ReturnAddress;

pub(crate) const PATH: &str = "/account";

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage<'a> {
    member_email: &'a str,
    form_token: &'a str,
    done: Option<&'static str>,
    applications: Vec<ApplicationCard>,
    sessions: Vec<SessionCard>,
    has_other_sessions: bool,
}

struct ApplicationCard {
    client_id: String,
    name: String,
    hosts: String,
    scopes: Vec<Scope>,
    allowed: Moment,
    last_used: Option<Moment>,
}

struct SessionCard {
    id: String,
    browser: String,
    started: Moment,
    seen: Moment,
    is_this: bool,
}

/// What the page says after something was done, by what stands in its address: whoever makes up an address cannot make it say more.
const DONE: [(&str, &str); 3] = [
    (
        "disconnected",
        "The application is disconnected. Nothing that it had opens anything any more.",
    ),
    ("session-ended", "That browser is signed out."),
    ("others-ended", "All other browsers are signed out."),
];

pub(crate) async fn show(
    State(app): State<App>,
    OriginalUri(uri): OriginalUri,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let Some(session) = Session::find(&app, &headers).await? else {
        return Ok(Invitation::new(&ReturnAddress::of(&uri)).answer(&app, &headers));
    };
    let applications = list_connected_applications(&app, &session.member).await?;
    let sessions = list_sessions(&app, &session.member, session.credential()).await?;
    let token = session.form_token();
    let done = query.as_deref().and_then(|query| query.strip_prefix("done="));
    let template = AccountPage {
        member_email: &session.member.email,
        form_token: token.as_str(),
        done: DONE.iter().find(|(name, _)| Some(*name) == done).map(|(_, words)| *words),
        applications: applications.into_iter().map(ApplicationCard::from).collect(),
        has_other_sessions: sessions.iter().any(|session| !session.is_this),
        sessions: sessions.into_iter().map(SessionCard::from).collect(),
    };
    Ok(page(StatusCode::OK, &template, FormTargets::OwnPages))
}

/// What a member wants to end.
#[derive(Deserialize)]
pub(crate) struct EndForm {
    csrf: String,
    /// The client id of an application, or the id of a session.
    #[serde(default)]
    id: String,
}

/// `POST /account/disconnect`
pub(crate) async fn submit_disconnect(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    form: Result<Form<EndForm>, FormRejection>,
) -> Result<Response, Refusal> {
    let Some((session, id)) = read(&app, &headers, form).await? else { return Ok(back("")) };
    disconnect(&app, &session.member, &id, address).await?;
    Ok(back("?done=disconnected"))
}

/// `POST /account/end-session`
pub(crate) async fn submit_end_session(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    form: Result<Form<EndForm>, FormRejection>,
) -> Result<Response, Refusal> {
    let Some((session, id)) = read(&app, &headers, form).await? else { return Ok(back("")) };
    end_session(&app, &session.member, &id, address).await?;
    Ok(back("?done=session-ended"))
}

/// `POST /account/end-other-sessions`
pub(crate) async fn submit_end_other_sessions(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    form: Result<Form<EndForm>, FormRejection>,
) -> Result<Response, Refusal> {
    let Some((session, _)) = read(&app, &headers, form).await? else { return Ok(back("")) };
    end_other_sessions(&app, &session.member, session.credential(), address).await?;
    Ok(back("?done=others-ended"))
}

/// Who sent a form, and what it names. Nobody if the session has ended meanwhile: then the page asks them to sign in.
async fn read(
    app: &App,
    headers: &HeaderMap,
    form: Result<Form<EndForm>, FormRejection>,
) -> Result<Option<(Session, String)>, Refusal> {
    let Form(form) = form.map_err(|_| Refusal::UnreadableForm)?;
    let Some(session) = Session::find(app, headers).await? else { return Ok(None) };
    if is_from_elsewhere(app, headers) || !session.form_token().is(&form.csrf) {
        return Err(Refusal::ForeignForm);
    }
    Ok(Some((session, form.id)))
}

fn back(query: &str) -> Response {
    Redirect::to(&format!("{PATH}{query}")).into_response()
}

impl From<ConnectedApplication> for ApplicationCard {
    fn from(application: ConnectedApplication) -> Self {
        Self {
            client_id: application.client_id,
            name: application.name,
            hosts: application.hosts.join(", "),
            scopes: application.scope.iter().collect(),
            allowed: Moment::from(application.allowed_at),
            last_used: application.last_used_at.map(Moment::from),
        }
    }
}

impl From<OpenSession> for SessionCard {
    fn from(session: OpenSession) -> Self {
        let unknown = || "A browser that does not say what it is".to_owned();
        Self {
            id: session.id,
            browser: Some(session.browser)
                .filter(|words| !words.is_empty())
                .unwrap_or_else(unknown),
            started: Moment::from(session.started_at),
            seen: Moment::from(session.seen_at),
            is_this: session.is_this,
        }
    }
}
