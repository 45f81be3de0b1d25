//! `GET /applications/{id}`: what an application is registered for, its secrets, and the ways to end it. `acts.rs` changes it.

use app::App;
use app::applications::{COMMAND_LINE_CLIENT_ID, application_json, find_application};
use app::documents::tag_of;
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use oauth::{Client, ClientId, ClientKind, ClientOrigin, ClientSecret, Moment, SECRETS_AT_MOST};
use web::{FormTargets, Session};

use crate::address::Path;
use crate::applications::form::ApplicationForm;
use crate::applications::{kind_words, path_of};
use crate::assets::copy_script;
use crate::caller::PageCaller;
use crate::frame::{Frame, NavigationTab};
use crate::message::{Message, Messages};
use crate::page::page_with;
use crate::refusal::Refusal;

const MESSAGES: Messages = Messages {
    done: &[
        ("changed", "The application is changed. That holds from its next request for access."),
        ("secret-removed", "The secret is removed, and signs nothing in any more."),
        ("disabled", "The application is off: it gets no tokens, and those it has do not work."),
        ("enabled", "The application is on again, and so are its tokens that have not expired."),
    ],
    problems: &[("no-secret", "This secret has been removed already.")],
};

#[derive(Template)]
#[template(path = "applications/application.html")]
struct ApplicationPage<'a> {
    frame: Frame,
    path: String,
    client_id: String,
    name: &'a str,
    kind: &'static str,
    is_public: bool,
    /// A project file says what it is.
    is_declared: bool,
    disabled: Option<Moment>,
    secrets: Vec<SecretLine>,
    has_room: bool,
    form: ApplicationForm,
    /// The state that the form changes.
    seen: String,
    feedback: Feedback<'a>,
}

struct SecretLine {
    id: String,
    note: String,
    made: Moment,
    used: Option<Moment>,
}

/// What the answer to a form adds to the page.
#[derive(Default)]
pub(super) struct Feedback<'a> {
    pub(super) message: Option<Message>,
    /// Why nothing was changed.
    pub(super) alert: Option<String>,
    /// A new secret, shown only here.
    pub(super) secret: Option<&'a str>,
    /// Whether the application is new.
    pub(super) is_new: bool,
}

pub(super) async fn show(
    State(app): State<App>,
    Path(id): Path<ClientId>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let client = find_application(&app, &actor, &id).await?.ok_or(Refusal::NoSuchPage)?;
    let feedback = Feedback { message: MESSAGES.named(query.as_deref()), ..Feedback::default() };
    let form = ApplicationForm::of(&client);
    Ok(answer((&app, &session), &client, form, (StatusCode::OK, feedback)))
}

/// The tag of an application's state.
pub(super) fn tag(client: &Client) -> String {
    tag_of(&application_json(client).to_string()).replace('"', "")
}

pub(super) fn answer(
    (app, session): (&App, &Session),
    client: &Client,
    form: ApplicationForm,
    (status, feedback): (StatusCode, Feedback<'_>),
) -> Response {
    let template = ApplicationPage {
        frame: Frame::new(session, NavigationTab::Applications).with_message(feedback.message),
        path: path_of(client),
        client_id: client.client_id.to_string(),
        name: &client.name,
        kind: kind_words(client.kind),
        is_public: client.kind == ClientKind::Public,
        is_declared: client.origin == ClientOrigin::ProjectFile,
        disabled: client.disabled_at.map(Moment::from),
        secrets: client.secrets.iter().map(SecretLine::from).collect(),
        has_room: client.secrets.len() < SECRETS_AT_MOST,
        form,
        seen: tag(client),
        feedback,
    };
    page_with(status, &template, FormTargets::OwnPages, copy_script(app))
}

impl ApplicationPage<'_> {
    /// What a project file declares, and the command line, would come back.
    fn is_removable(&self) -> bool {
        !self.is_declared && self.client_id != COMMAND_LINE_CLIENT_ID
    }
}

impl From<&ClientSecret> for SecretLine {
    fn from(secret: &ClientSecret) -> Self {
        Self {
            id: secret.id.clone(),
            note: secret.note.clone(),
            made: Moment::from(secret.created_at),
            used: secret.last_used_at.map(Moment::from),
        }
    }
}
