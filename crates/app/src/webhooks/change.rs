//! Changes a webhook, or renews its secret, if it is still as the actor saw it.

use domain::Fault;
use secrecy::SecretString;
use serde_json::{Value, json};
use storage::{AuditEvent, StorageError, Webhook};
use thiserror::Error;

use crate::App;
use crate::documents::WebhookEvent;
use crate::roles::{Actor, RoleError};
use crate::webhooks::address::host_of;
use crate::webhooks::description::{
    check_description, check_url, entity, hears_of_results, names_of,
};
use crate::webhooks::secret::{FORMER_SIGNS_FOR, nonce, secret};

/// What to change; `None` keeps it.
#[derive(Debug, Clone, Default)]
pub struct ChangedWebhook {
    /// Where requests go.
    pub url: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// The events that it wants; none are all.
    pub events: Option<Vec<WebhookEvent>>,
    /// Whether it is switched on.
    pub is_enabled: Option<bool>,
}

/// Why a webhook was not changed.
#[derive(Debug, Error)]
pub enum ChangeWebhookError {
    /// Another request has just changed or removed it.
    #[error("the webhook has just been changed or removed; look at it again")]
    OtherWebhook,
    /// The request is invalid.
    #[error("{}", .0.message)]
    Fault(Box<Fault>),
    /// The actor may not change the project.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The store did not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Changes a webhook; returns what it is now. What waits to be delivered goes to the new address.
///
/// # Errors
/// See [`ChangeWebhookError`].
pub async fn change_webhook(
    app: &App,
    actor: &Actor,
    seen: Webhook,
    changed: ChangedWebhook,
) -> Result<Webhook, ChangeWebhookError> {
    actor.require_announcing(app, seen.project).await?;
    let mut next = seen.clone();
    if let Some(url) = changed.url {
        next.url = check_url(app, &url).map_err(ChangeWebhookError::Fault)?;
    }
    if let Some(description) = changed.description {
        check_description(&description).map_err(ChangeWebhookError::Fault)?;
        next.description = description;
    }
    if let Some(events) = changed.events {
        next.events = names_of(&events);
    }
    if let Some(is_enabled) = changed.is_enabled {
        next.is_enabled = is_enabled;
        next.off_because = None;
    }
    if next == seen {
        return Ok(seen);
    }
    if next.url != seen.url || next.is_enabled && !seen.is_enabled {
        next.member = actor.member();
    }
    // What waits to be delivered goes to the new address, and what is off may be switched on by others.
    let is_moved =
        next.url != seen.url && (hears_of_results(&seen.events) || hears_of_results(&next.events));
    if is_moved || next.is_enabled && hears_of_results(&next.events) {
        actor.require_telling_results(app, next.project).await?;
    }
    let change = audited_change(&seen, &next);
    store(app, actor, next, (AuditEvent::WebhookChanged, &change)).await
}

/// Makes a new secret of a webhook. For a day, the one before signs as well; returns what the webhook is now, with the secret.
///
/// # Errors
/// See [`ChangeWebhookError`].
pub async fn renew_webhook_secret(
    app: &App,
    actor: &Actor,
    seen: Webhook,
) -> Result<(Webhook, SecretString), ChangeWebhookError> {
    actor.require_announcing(app, seen.project).await?;
    let former_nonce = Some((seen.nonce.clone(), app.now() + FORMER_SIGNS_FOR));
    let next = Webhook { nonce: nonce(app), former_nonce, ..seen };
    let shown = secret(app, &next).await?.shown();
    let event = (AuditEvent::WebhookSecretRenewed, &Value::Null);
    Ok((store(app, actor, next, event).await?, shown))
}

async fn store(
    app: &App,
    actor: &Actor,
    next: Webhook,
    (event, change): (AuditEvent, &Value),
) -> Result<Webhook, ChangeWebhookError> {
    let entry = actor.entry(app, event, (next.project, &entity(&next.id)), change);
    if !app.store().change_webhook((actor.authority()?, next.clone()), entry).await? {
        return Err(ChangeWebhookError::OtherWebhook);
    }
    Ok(Webhook { version: next.version + 1, ..next })
}

/// What the audit log tells of a change: of an address the host alone.
fn audited_change(seen: &Webhook, next: &Webhook) -> Value {
    let fields = [
        ("/url", seen.url != next.url, json!(host_of(&next.url))),
        ("/description", seen.description != next.description, json!(next.description)),
        ("/events", seen.events != next.events, json!(next.events)),
        ("/enabled", seen.is_enabled != next.is_enabled, json!(next.is_enabled)),
    ];
    let changed = fields.into_iter().filter(|(_, is_changed, _)| *is_changed);
    changed.map(|(path, _, value)| json!({"op": "replace", "path": path, "value": value})).collect()
}
