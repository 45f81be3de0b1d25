//! `/projects/{id}/webhooks/{webhook}`: a webhook, what was delivered to it, and what a member does about it.

use app::App;
use app::roles::Actor;
use app::webhooks::{
    ChangeWebhookError, RedeliverError, SwitchedOff, change_webhook, find_webhook, host_of,
    list_deliveries, list_holds, redeliver, remove_webhook, renew_webhook_secret, send_test,
};
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use domain::ProjectId;
use oauth::Moment;
use secrecy::{ExposeSecret as _, SecretString};
use storage::Webhook;
use web::{FormTargets, Session};

use crate::address::Path;
use crate::assets::copy_script;
use crate::caller::{FormCaller, PageCaller};
use crate::fields::Fields;
use crate::frame::{Frame, NavigationTab};
use crate::message::{Message, Messages};
use crate::page::page_with;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;
use crate::webhooks::form::WebhookForm;
use crate::webhooks::log::{self, Log};
use crate::webhooks::{Standing, path as list_path};

const MESSAGES: Messages = Messages {
    done: &[
        ("changed", "The webhook is changed."),
        ("sent", "A test is on its way. Load the page again to see what came of it."),
        ("again", "The delivery is tried again. Load the page again to see what came of it."),
    ],
    problems: &[
        ("off", "The webhook is switched off. Switch it on first."),
        ("none", "This server sends nothing to webhooks: it was started with --webhooks off."),
        (
            "other",
            "The webhook has changed since the page was shown, so nothing was done by this form. If you made a new secret twice, the first time counted. This is how it is now.",
        ),
        (
            "under-way",
            "The delivery is being sent at this moment. Load the page again to see what came of it.",
        ),
        ("unknown", "The log has no such delivery any more."),
    ],
};

const CHANGED: &str = "The webhook has changed since the page was shown. Below is what you typed; open the page again for what is there now, or save this instead.";

/// The field with the version that the member saw.
const SEEN: &str = "seen";

#[derive(Template)]
#[template(path = "webhooks/one.html")]
struct WebhookPage<'a> {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    list: String,
    host: String,
    standing: Standing,
    made_by: &'a str,
    made: Moment,
    former_until: Option<Moment>,
    /// The version that the forms change.
    seen: i64,
    form: WebhookForm,
    secret: Option<&'a str>,
    log: Log,
}

pub(super) fn routes() -> Router<App> {
    let at = |act: &str| format!("/projects/{{id}}/webhooks/{{webhook}}{act}");
    Router::new()
        .route(&at(""), get(show))
        .route(&at("/change"), post(submit_change))
        .route(&at("/renew"), post(submit_renewal))
        .route(&at("/test"), post(submit_test))
        .route(&at("/redeliver"), post(submit_redelivery))
        .route(&at("/remove"), post(submit_removal))
}

async fn show(
    State(app): State<App>,
    Path(names): Path<(ProjectId, String)>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let webhook = known(&app, &actor, &names).await?;
    let fields = query.as_deref().and_then(|query| Fields::read(query.as_bytes()));
    let page = fields.and_then(|fields| fields.get("page").parse().ok()).unwrap_or(1);
    let feedback =
        Feedback { message: MESSAGES.named(query.as_deref()), page, ..Feedback::default() };
    answer((&app, &session, &actor), &webhook, (StatusCode::OK, feedback)).await
}

async fn submit_change(
    State(app): State<App>,
    Path(names): Path<(ProjectId, String)>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let webhook = known(&app, &actor, &names).await?;
    let form = WebhookForm::read(&fields);
    let changed = if is_as_seen(&webhook, &fields) {
        change_webhook(&app, &actor, webhook, form.to_change()).await
    } else {
        Err(ChangeWebhookError::OtherWebhook)
    };
    let (status, form) = match changed {
        Ok(changed) => return Ok(back(&changed, "done=changed")),
        Err(ChangeWebhookError::OtherWebhook) => {
            (StatusCode::CONFLICT, form.alerted(CHANGED.to_owned()))
        }
        Err(ChangeWebhookError::Fault(fault)) => {
            (StatusCode::UNPROCESSABLE_ENTITY, form.refused(*fault))
        }
        Err(ChangeWebhookError::Role(error)) => return Err(error.into()),
        Err(ChangeWebhookError::Storage(error)) => return Err(error.into()),
    };
    let webhook = known(&app, &actor, &names).await?;
    let feedback = Feedback { form: Some(form), ..Feedback::default() };
    answer((&app, &session, &actor), &webhook, (status, feedback)).await
}

async fn submit_renewal(
    State(app): State<App>,
    Path(names): Path<(ProjectId, String)>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let webhook = known(&app, &actor, &names).await?;
    // A form that is sent twice would end the secret that the receiver has.
    if !is_as_seen(&webhook, &fields) {
        return Ok(back(&webhook, "problem=other"));
    }
    match renew_webhook_secret(&app, &actor, webhook.clone()).await {
        Ok((webhook, secret)) => {
            let feedback = Feedback { secret: Some(&secret), ..Feedback::default() };
            answer((&app, &session, &actor), &webhook, (StatusCode::CREATED, feedback)).await
        }
        Err(ChangeWebhookError::OtherWebhook | ChangeWebhookError::Fault(_)) => {
            Ok(back(&webhook, "problem=other"))
        }
        Err(ChangeWebhookError::Role(error)) => Err(error.into()),
        Err(ChangeWebhookError::Storage(error)) => Err(error.into()),
    }
}

async fn submit_test(
    State(app): State<App>,
    Path(names): Path<(ProjectId, String)>,
    FormCaller { actor, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let webhook = known(&app, &actor, &names).await?;
    match send_test(&app, &actor, &webhook).await {
        Ok(_) => Ok(back(&webhook, "done=sent")),
        Err(error) => not_sent(&webhook, error),
    }
}

async fn submit_redelivery(
    State(app): State<App>,
    Path(names): Path<(ProjectId, String)>,
    FormCaller { actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let webhook = known(&app, &actor, &names).await?;
    match redeliver(&app, &actor, &webhook, fields.get("delivery")).await {
        Ok(Some(_)) => Ok(back(&webhook, "done=again")),
        Ok(None) => Ok(back(&webhook, "problem=unknown")),
        Err(RedeliverError::UnderWay) => Ok(back(&webhook, "problem=under-way")),
        Err(RedeliverError::SwitchedOff(error)) => not_sent(&webhook, error),
    }
}

fn not_sent(webhook: &Webhook, error: SwitchedOff) -> Result<Response, Refusal> {
    match error {
        SwitchedOff::Off => Ok(back(webhook, "problem=off")),
        SwitchedOff::NoneSent => Ok(back(webhook, "problem=none")),
        SwitchedOff::Role(error) => Err(error.into()),
    }
}

async fn submit_removal(
    State(app): State<App>,
    Path((id, webhook)): Path<(ProjectId, String)>,
    FormCaller { actor, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let was_there = remove_webhook(&app, &actor, id, &webhook).await?;
    let query = if was_there { "done=removed" } else { "problem=gone" };
    Ok(Redirect::to(&format!("{}?{query}", list_path(id))).into_response())
}

async fn known(
    app: &App,
    actor: &Actor,
    (id, webhook): &(ProjectId, String),
) -> Result<Webhook, Refusal> {
    find_webhook(app, actor, *id, webhook).await?.ok_or(Refusal::NoSuchPage)
}

/// Whether the form was made from the webhook as it is.
fn is_as_seen(webhook: &Webhook, fields: &Fields) -> bool {
    fields.get(SEEN) == webhook.version.to_string()
}

fn back(webhook: &Webhook, query: &str) -> Response {
    Redirect::to(&format!("{}?{query}", path(webhook))).into_response()
}

/// What the answer to a form adds to the page.
#[derive(Default)]
struct Feedback<'a> {
    message: Option<Message>,
    form: Option<WebhookForm>,
    secret: Option<&'a SecretString>,
    page: u32,
}

async fn answer(
    (app, session, actor): (&App, &Session, &Actor),
    webhook: &Webhook,
    (status, feedback): (StatusCode, Feedback<'_>),
) -> Result<Response, Refusal> {
    let page = log::page(feedback.page);
    let (deliveries, total) = list_deliveries(app, actor, webhook, page).await?;
    let holds = list_holds(app, actor, webhook.project).await?;
    let former = webhook.former_nonce.as_ref().filter(|(_, until)| app.now() < *until);
    let template = WebhookPage {
        frame: Frame::new(session, NavigationTab::Projects).with_message(feedback.message),
        project: ProjectFrame::of(app, actor, webhook.project, Tab::Settings).await?,
        path: path(webhook),
        list: list_path(webhook.project),
        host: host_of(&webhook.url),
        standing: Standing::of(webhook, holds.get(&webhook.id)),
        made_by: &webhook.made_by,
        made: Moment::from(webhook.made_at),
        seen: webhook.version,
        former_until: former.map(|(_, until)| Moment::from(*until)),
        form: feedback.form.unwrap_or_else(|| WebhookForm::of(webhook)),
        secret: feedback.secret.map(SecretString::expose_secret),
        log: Log::of(&deliveries, total, page),
    };
    Ok(page_with(status, &template, FormTargets::OwnPages, copy_script(app)))
}

/// The address of the page.
fn path(webhook: &Webhook) -> String {
    format!("{}/{}", list_path(webhook.project), webhook.id)
}
