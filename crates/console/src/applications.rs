//! `/applications`: the OAuth clients that act for members, for those who may manage them. An application's own page is in
//! `applications/application.rs`.

mod acts;
mod application;
mod form;

use app::App;
use app::applications::{ApplicationFault, list_applications};
use app::roles::{Actor, Permission, rights_of};
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use oauth::{Client, ClientKind, ClientOrigin, RedirectUri};
use web::{FormTargets, Session};

use crate::applications::form::ApplicationForm;
use crate::caller::PageCaller;
use crate::frame::{Frame, NavigationTab};
use crate::message::{Message, Messages};
use crate::page::page;
use crate::refusal::Refusal;

pub(crate) const PATH: &str = "/applications";

const MESSAGES: Messages = Messages {
    done: &[("removed", "The application is removed, with its tokens and consents.")],
    problems: &[("gone", "This application has been removed already.")],
};

#[derive(Template)]
#[template(path = "applications/list.html")]
struct ApplicationsPage {
    frame: Frame,
    /// `None` if the visitor manages no applications.
    rows: Option<Vec<Row>>,
    form: ApplicationForm,
}

struct Row {
    path: String,
    name: String,
    kind: &'static str,
    /// Where its answers go first.
    redirect_uri: String,
    /// How many more such addresses there are.
    further: usize,
    is_off: bool,
    is_declared: bool,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route(PATH, get(show))
        .route("/applications/register", post(acts::submit_new))
        .route("/applications/{id}", get(application::show))
        .route("/applications/{id}/change", post(acts::submit_change))
        .route("/applications/{id}/add-secret", post(acts::submit_secret))
        .route("/applications/{id}/remove-secret", post(acts::submit_secret_removal))
        .route("/applications/{id}/disable", post(acts::submit_disabling))
        .route("/applications/{id}/enable", post(acts::submit_enabling))
        .route("/applications/{id}/remove", post(acts::submit_removal))
}

async fn show(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let message = MESSAGES.named(query.as_deref());
    answer((&app, &session, &actor), ApplicationForm::default(), message).await
}

/// The page, with a form that was refused or an empty one.
async fn answer(
    (app, session, actor): (&App, &Session, &Actor),
    form: ApplicationForm,
    message: Option<Message>,
) -> Result<Response, Refusal> {
    let rights = rights_of(app, session.member.id).await?;
    let rows = if rights.include(None, Permission::ManageApplications) {
        let applications = list_applications(app, actor).await?;
        Some(applications.iter().map(Row::from).collect())
    } else {
        None
    };
    let status = status_of(form.fault.as_ref());
    let frame = Frame::new(session, NavigationTab::Applications).with_message(message);
    Ok(page(status, &ApplicationsPage { frame, rows, form }, FormTargets::OwnPages))
}

fn status_of(fault: Option<&ApplicationFault>) -> StatusCode {
    if fault.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }
}

/// The address of an application's page.
fn path_of(client: &Client) -> String {
    format!("{PATH}/{}", client.client_id)
}

/// What an application is called that can, or cannot, keep a secret.
fn kind_words(kind: ClientKind) -> &'static str {
    match kind {
        ClientKind::Confidential => "runs on a server",
        ClientKind::Public => "runs on its users' devices",
    }
}

impl From<&Client> for Row {
    fn from(client: &Client) -> Self {
        let redirect_uri = client.redirect_uris.first().map_or("", RedirectUri::as_str);
        Self {
            path: path_of(client),
            name: client.name.clone(),
            kind: kind_words(client.kind),
            redirect_uri: redirect_uri.to_owned(),
            further: client.redirect_uris.len().saturating_sub(1),
            is_off: client.disabled_at.is_some(),
            is_declared: client.origin == ClientOrigin::ProjectFile,
        }
    }
}
