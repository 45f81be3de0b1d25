//! `/projects/{id}/webhooks`: where a project announces what happens in it. `one.rs` is the page of one of them.

mod form;
mod log;
mod one;

use app::App;
use app::roles::Actor;
use app::webhooks::{
    AddWebhookError, MadeWebhook, add_webhook, host_of, list_holds, list_webhooks,
};
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use domain::ProjectId;
use oauth::{Moment, Timestamp};
use secrecy::ExposeSecret as _;
use storage::{OffBecause, Webhook};
use web::{FormTargets, Session};

use crate::address::Path;
use crate::assets::copy_script;
use crate::caller::{FormCaller, PageCaller};
use crate::frame::{Frame, NavigationTab};
use crate::message::{Message, Messages};
use crate::page::page_with;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;
use crate::webhooks::form::WebhookForm;
use crate::words::sentence;

const MESSAGES: Messages = Messages {
    done: &[("removed", "The webhook is removed, and gets nothing any more.")],
    problems: &[("gone", "This webhook has been removed already.")],
};

#[derive(Template)]
#[template(path = "webhooks/list.html")]
struct WebhooksPage<'a> {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    sends: bool,
    lines: Vec<Line>,
    form: WebhookForm,
    made: Option<Made<'a>>,
}

/// A webhook in the list.
struct Line {
    path: String,
    host: String,
    description: String,
    events: String,
    standing: Standing,
}

/// Whether a webhook gets anything, as a page shows it.
struct Standing {
    words: &'static str,
    mood: &'static str,
    held_until: Option<Moment>,
}

/// A webhook that was just added.
struct Made<'a> {
    path: String,
    secret: &'a str,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/projects/{id}/webhooks", get(show))
        .route("/projects/{id}/webhooks/add", post(submit_new))
        .merge(one::routes())
}

async fn show(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let feedback = Feedback { message: MESSAGES.named(query.as_deref()), ..Feedback::default() };
    answer((&app, &session, &actor), id, (StatusCode::OK, feedback)).await
}

async fn submit_new(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let form = WebhookForm::read(&fields);
    let (status, form) = match add_webhook(&app, &actor, id, form.to_new()).await {
        Ok(made) => {
            let feedback = Feedback { made: Some(&made), ..Feedback::default() };
            return answer((&app, &session, &actor), id, (StatusCode::CREATED, feedback)).await;
        }
        Err(AddWebhookError::Fault(fault)) => {
            (StatusCode::UNPROCESSABLE_ENTITY, form.refused(*fault))
        }
        Err(error @ AddWebhookError::TooMany) => {
            (StatusCode::CONFLICT, form.alerted(sentence(&error.to_string())))
        }
        Err(AddWebhookError::UnknownProject) => return Err(Refusal::NoSuchPage),
        Err(AddWebhookError::Role(error)) => return Err(error.into()),
        Err(AddWebhookError::Storage(error)) => return Err(error.into()),
    };
    answer((&app, &session, &actor), id, (status, Feedback { form, ..Feedback::default() })).await
}

/// What the answer to a form adds to the page.
#[derive(Default)]
struct Feedback<'a> {
    message: Option<Message>,
    form: WebhookForm,
    made: Option<&'a MadeWebhook>,
}

async fn answer(
    (app, session, actor): (&App, &Session, &Actor),
    id: ProjectId,
    (status, feedback): (StatusCode, Feedback<'_>),
) -> Result<Response, Refusal> {
    let webhooks = list_webhooks(app, actor, id).await?.ok_or(Refusal::NoSuchPage)?;
    let holds = list_holds(app, actor, id).await?;
    let template = WebhooksPage {
        frame: Frame::new(session, NavigationTab::Projects).with_message(feedback.message),
        project: ProjectFrame::of(app, actor, id, Tab::Settings).await?,
        path: path(id),
        sends: app.sends_webhooks(),
        lines: webhooks.iter().map(|one| Line::of(one, holds.get(&one.id))).collect(),
        form: feedback.form,
        made: feedback.made.map(|made| Made {
            path: format!("{}/{}", path(id), made.webhook.id),
            secret: made.secret.expose_secret(),
        }),
    };
    Ok(page_with(status, &template, FormTargets::OwnPages, copy_script(app)))
}

impl Line {
    fn of(webhook: &Webhook, held_until: Option<&Timestamp>) -> Self {
        let events = &webhook.events;
        Self {
            path: format!("{}/{}", path(webhook.project), webhook.id),
            host: host_of(&webhook.url),
            description: webhook.description.clone(),
            events: if events.is_empty() { "all events".to_owned() } else { events.join(", ") },
            standing: Standing::of(webhook, held_until),
        }
    }
}

impl Standing {
    fn of(webhook: &Webhook, held_until: Option<&Timestamp>) -> Self {
        let held_until = held_until.filter(|_| webhook.is_enabled).copied().map(Moment::from);
        let (words, mood) = match (webhook.is_enabled, webhook.off_because) {
            (true, _) if held_until.is_some() => ("held", "held"),
            (true, _) => ("on", "good"),
            (false, Some(OffBecause::Gone)) => ("off: the receiver is gone", "lost"),
            (false, Some(OffBecause::MemberRemoved)) => {
                ("off: the member was removed who added it or switched it on last", "paused")
            }
            (false, None) => ("off", "paused"),
        };
        Self { words, mood, held_until }
    }
}

/// The address of the list.
fn path(id: ProjectId) -> String {
    format!("/projects/{id}/webhooks")
}
