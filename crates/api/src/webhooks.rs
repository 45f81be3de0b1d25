//! `/v1/projects/{id}/webhooks`: where a project announces what happens in it. They need `config:write`, also to be read: the address of some
//! receivers is all that one needs to write to them. What tells results, by a webhook that hears of them or by the log of what was delivered, takes
//! `results:read`, too.

use app::App;
use app::dto::Dto as _;
use app::roles::Actor;
use app::webhooks::{
    AddWebhookError, ChangeWebhookError, MadeWebhook, RedeliverError, SwitchedOff,
    WebhookDeliveryDto, WebhookDto, WebhookPatch, WebhookRequest, add_webhook, change_webhook,
    find_delivery, find_webhook, list_deliveries, list_webhooks, redeliver, remove_webhook,
    renew_webhook_secret, send_test, webhook_json,
};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::ProjectId;
use oauth::Scope;
use secrecy::{ExposeSecret as _, SecretString};
use storage::Webhook;
use web::{Problem, ProblemCode};

use crate::address::Path;
use crate::answers::{answer, answer_done, answer_page, located};
use crate::conditional::{
    IfMatch, IfNoneMatch, answer_tagged, answer_unless_known, changed_meanwhile, check_if_told,
};
use crate::editing::{Caller, project_id};
use crate::json_body::sent;
use crate::openapi::Operation;
use crate::paging::Paging;
use crate::routes::{Routes, delete, get, patch, post};

/// Enough for an address, a description and the names of all events.
const BYTES_AT_MOST: usize = 16 * 1024;

const SCOPE: Scope = Scope::ConfigWrite;

app::dto! {
    /// A webhook with its secret, just made.
    pub(crate) struct MadeWebhookDto: "made_webhook" {
        ..webhook: WebhookDto,
        /// With it, the receiver checks signatures: `whsec_` and base64. Assay shows it once.
        secret: String,
    }
}

pub(crate) fn routes() -> Routes {
    let asked = |id, summary| Operation::new(id, summary).needs(SCOPE, "editor");
    let list =
        asked("list_webhooks", "List the webhooks of a project").answers_pages_of(WebhookDto::NAME);
    let add = asked("add_webhook", "Add a webhook")
        .takes_request::<WebhookRequest>()
        .answers_dto::<MadeWebhookDto>(201)
        .with_header(201, "Location")
        .may_be(&[409]);
    let show = asked("get_webhook", "Read a webhook")
        .answers_tagged(200, WebhookDto::NAME)
        .with_shared("if_none_match_or_not")
        .answers_not_modified();
    let change = asked("change_webhook", "Change a webhook by a merge patch")
        .if_match()
        .takes_request::<WebhookPatch>()
        .answers_tagged(200, WebhookDto::NAME);
    let remove = asked("remove_webhook", "Remove a webhook with the log of its deliveries")
        .if_match_is_heeded()
        .answers_nothing();
    let renew =
        asked("renew_webhook_secret", "Make a new secret; the old one signs for another day")
            .if_match_is_heeded()
            .answers_dto::<MadeWebhookDto>(201);
    let test = asked("test_webhook", "Send a test to a webhook")
        .answers_dto::<WebhookDeliveryDto>(202)
        .may_be(&[409]);
    Routes::under("Webhooks")
        .at("/v1/projects/{id}/webhooks", [get(self::list, list), post(self::add, add)])
        .at(
            "/v1/projects/{id}/webhooks/{webhook}",
            [get(self::show, show), patch(self::change, change), delete(self::remove, remove)],
        )
        .at("/v1/projects/{id}/webhooks/{webhook}/secret", [post(self::renew, renew)])
        .at("/v1/projects/{id}/webhooks/{webhook}/test", [post(self::test, test)])
        .merge(routes_of_deliveries())
        .with_bodies_of_at_most(BYTES_AT_MOST)
}

fn routes_of_deliveries() -> Routes {
    let asked = |id, summary| {
        Operation::new(id, summary).needs(SCOPE, "editor").needs_also(Scope::ResultsRead)
    };
    let list = asked("list_webhook_deliveries", "List what was delivered to a webhook")
        .answers_pages_of(WebhookDeliveryDto::NAME);
    let show =
        asked("get_webhook_delivery", "Read a delivery").answers_dto::<WebhookDeliveryDto>(200);
    let again = asked("redeliver_to_webhook", "Deliver an event again")
        .answers_dto::<WebhookDeliveryDto>(202)
        .may_be(&[409]);
    Routes::under("Webhooks")
        .at("/v1/projects/{id}/webhooks/{webhook}/deliveries", [get(list_log, list)])
        .at(
            "/v1/projects/{id}/webhooks/{webhook}/deliveries/{delivery}",
            [get(show_delivery, show)],
        )
        .at(
            "/v1/projects/{id}/webhooks/{webhook}/deliveries/{delivery}/redeliver",
            [post(deliver_again, again)],
        )
}

async fn list(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    paging: Paging,
) -> Result<Response, Problem> {
    let (actor, id) = asking(&app, caller, &id).await?;
    let webhooks = list_webhooks(&app, &actor, id).await?.ok_or_else(Problem::not_found)?;
    let total = webhooks.len() as u64;
    let page: Vec<_> = paging.part_of(webhooks).iter().map(WebhookDto::from).collect();
    Ok(answer_page(&app, paging, &format!("/v1/projects/{id}/webhooks"), total, page))
}

async fn add(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let (actor, id) = asking(&app, caller, &id).await?;
    let wanted: WebhookRequest = sent(request).await?;
    let made = add_webhook(&app, &actor, id, wanted.into()).await;
    let MadeWebhook { webhook, secret } = made.map_err(|error| {
        let detail = error.to_string();
        match error {
            AddWebhookError::UnknownProject => Problem::not_found(),
            AddWebhookError::Fault(fault) => Problem::faults(&[*fault]),
            AddWebhookError::TooMany => Problem::new(ProblemCode::TooManyWebhooks, detail),
            AddWebhookError::Role(error) => error.into(),
            AddWebhookError::Storage(error) => error.into(),
        }
    })?;
    let path = format!("/v1/projects/{id}/webhooks/{}", webhook.id);
    Ok(located(answer(StatusCode::CREATED, with_secret(&webhook, &secret)), &app, &path))
}

async fn show(
    State(app): State<App>,
    Path((id, webhook)): Path<(String, String)>,
    caller: Caller,
    if_none_match: IfNoneMatch,
) -> Result<Response, Problem> {
    let (_, webhook) = known(&app, caller, (&id, &webhook)).await?;
    Ok(answer_unless_known(&if_none_match, webhook_json(&webhook)))
}

async fn change(
    State(app): State<App>,
    Path((id, webhook)): Path<(String, String)>,
    caller: Caller,
    if_match: Result<IfMatch, Problem>,
    request: Request,
) -> Result<Response, Problem> {
    let (actor, webhook) = known(&app, caller, (&id, &webhook)).await?;
    if_match?.check(&webhook_json(&webhook))?;
    let patch: WebhookPatch = sent(request).await?;
    let before = webhook.clone();
    match change_webhook(&app, &actor, webhook, patch.into()).await {
        Ok(webhook) => Ok(answer_tagged(StatusCode::OK, webhook_json(&webhook))),
        Err(error) => Err(not_changed(&app, &actor, &before, error).await),
    }
}

async fn remove(
    State(app): State<App>,
    Path((id, webhook)): Path<(String, String)>,
    caller: Caller,
    if_match: Option<IfMatch>,
) -> Result<Response, Problem> {
    let (actor, webhook) = known(&app, caller, (&id, &webhook)).await?;
    check_if_told(if_match, &webhook_json(&webhook))?;
    let was_there = remove_webhook(&app, &actor, webhook.project, &webhook.id).await?;
    if was_there { Ok(answer_done()) } else { Err(Problem::not_found()) }
}

async fn renew(
    State(app): State<App>,
    Path((id, webhook)): Path<(String, String)>,
    caller: Caller,
    if_match: Option<IfMatch>,
) -> Result<Response, Problem> {
    let (actor, webhook) = known(&app, caller, (&id, &webhook)).await?;
    check_if_told(if_match, &webhook_json(&webhook))?;
    let before = webhook.clone();
    match renew_webhook_secret(&app, &actor, webhook).await {
        Ok((webhook, secret)) => Ok(answer(StatusCode::CREATED, with_secret(&webhook, &secret))),
        Err(error) => Err(not_changed(&app, &actor, &before, error).await),
    }
}

async fn test(
    State(app): State<App>,
    Path((id, webhook)): Path<(String, String)>,
    caller: Caller,
) -> Result<Response, Problem> {
    let (actor, webhook) = known(&app, caller, (&id, &webhook)).await?;
    let delivery = send_test(&app, &actor, &webhook).await.map_err(not_sent)?;
    Ok(answer(StatusCode::ACCEPTED, WebhookDeliveryDto::from(&delivery)))
}

async fn list_log(
    State(app): State<App>,
    Path((id, webhook)): Path<(String, String)>,
    caller: Caller,
    paging: Paging,
) -> Result<Response, Problem> {
    let (actor, webhook) = known(&app, caller, (&id, &webhook)).await?;
    let (page, total) = list_deliveries(&app, &actor, &webhook, paging.to_page()).await?;
    let page: Vec<_> = page.iter().map(WebhookDeliveryDto::from).collect();
    let path = format!("/v1/projects/{}/webhooks/{}/deliveries", webhook.project, webhook.id);
    Ok(answer_page(&app, paging, &path, total, page))
}

async fn show_delivery(
    State(app): State<App>,
    Path((id, webhook, delivery)): Path<(String, String, String)>,
    caller: Caller,
) -> Result<Response, Problem> {
    let (actor, webhook) = known(&app, caller, (&id, &webhook)).await?;
    let found = find_delivery(&app, &actor, &webhook, &delivery).await?;
    let delivery = found.ok_or_else(Problem::not_found)?;
    Ok(answer(StatusCode::OK, WebhookDeliveryDto::from(&delivery)))
}

async fn deliver_again(
    State(app): State<App>,
    Path((id, webhook, delivery)): Path<(String, String, String)>,
    caller: Caller,
) -> Result<Response, Problem> {
    let (actor, webhook) = known(&app, caller, (&id, &webhook)).await?;
    let again = redeliver(&app, &actor, &webhook, &delivery).await;
    let again = again.map_err(|error| match error {
        RedeliverError::UnderWay => Problem::new(ProblemCode::DeliveryUnderWay, error.to_string()),
        RedeliverError::SwitchedOff(error) => not_sent(error),
    })?;
    let delivery = again.ok_or_else(Problem::not_found)?;
    Ok(answer(StatusCode::ACCEPTED, WebhookDeliveryDto::from(&delivery)))
}

async fn asking(app: &App, caller: Caller, id: &str) -> Result<(Actor, ProjectId), Problem> {
    let actor = caller.actor(app, SCOPE).await?;
    let id = project_id(app, &actor, id).await?;
    Ok((actor, id))
}

async fn known(
    app: &App,
    caller: Caller,
    (id, webhook): (&str, &str),
) -> Result<(Actor, Webhook), Problem> {
    let (actor, id) = asking(app, caller, id).await?;
    let webhook = find_webhook(app, &actor, id, webhook).await?.ok_or_else(Problem::not_found)?;
    Ok((actor, webhook))
}

fn with_secret(webhook: &Webhook, secret: &SecretString) -> MadeWebhookDto {
    MadeWebhookDto { webhook: WebhookDto::from(webhook), secret: secret.expose_secret().to_owned() }
}

/// Why a webhook, which was like this, was not changed.
async fn not_changed(
    app: &App,
    actor: &Actor,
    before: &Webhook,
    error: ChangeWebhookError,
) -> Problem {
    match error {
        ChangeWebhookError::OtherWebhook => {
            match find_webhook(app, actor, before.project, &before.id).await {
                Ok(Some(now)) => changed_meanwhile(&webhook_json(&now)),
                Ok(None) => Problem::not_found(),
                Err(error) => error.into(),
            }
        }
        ChangeWebhookError::Fault(fault) => Problem::faults(&[*fault]),
        ChangeWebhookError::Role(error) => error.into(),
        ChangeWebhookError::Storage(error) => error.into(),
    }
}

fn not_sent(error: SwitchedOff) -> Problem {
    match error {
        SwitchedOff::Off | SwitchedOff::NoneSent => {
            Problem::new(ProblemCode::WebhookOff, error.to_string())
        }
        SwitchedOff::Role(error) => error.into(),
    }
}
