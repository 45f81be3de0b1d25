//! Sends a test to a webhook, so that its receiver can be tried.

use serde_json::{Value, json};
use storage::{AuditEvent, StorageError, Webhook, WebhookDelivery};
use thiserror::Error;

use crate::App;
use crate::documents::TEST_EVENT;
use crate::publishing::announcer;
use crate::roles::{Actor, RoleError};
use crate::webhooks::description::entity;

/// Why nothing is sent to a webhook.
#[derive(Debug, Error)]
pub enum SwitchedOff {
    /// It is switched off, or was removed.
    #[error("the webhook is switched off; switch it on first")]
    Off,
    /// This server sends to none.
    #[error("this server sends nothing to webhooks: it was started with `--webhooks off`")]
    NoneSent,
    /// The actor may not change the project.
    #[error(transparent)]
    Role(#[from] RoleError),
}

impl From<StorageError> for SwitchedOff {
    fn from(error: StorageError) -> Self {
        Self::Role(error.into())
    }
}

/// Has `webhook.test` delivered to a webhook like any event, whichever events it wants.
///
/// # Errors
/// See [`SwitchedOff`].
pub async fn send_test(
    app: &App,
    actor: &Actor,
    webhook: &Webhook,
) -> Result<WebhookDelivery, SwitchedOff> {
    actor.require_announcing(app, webhook.project).await?;
    if !app.sends_webhooks() {
        return Err(SwitchedOff::NoneSent);
    }
    let data = json!({
        "project": {"id": webhook.project.to_string()},
        "by": actor.author(app).await?,
        "webhook": {"id": webhook.id, "description": webhook.description},
    });
    let text = "A test of this webhook: it works.";
    let announcement = announcer(app).announce(0, (TEST_EVENT, text, data));
    let message = announcement.message.clone();
    let about = (webhook.project, &*entity(&webhook.id));
    let entry = actor.entry(app, AuditEvent::WebhookTested, about, &Value::Null);
    if !app.store().announce_to_webhook(&webhook.id, announcement, entry).await? {
        return Err(SwitchedOff::Off);
    }
    let delivery = app.store().find_webhook_delivery(&webhook.id, &message).await?;
    delivery.ok_or(SwitchedOff::Off)
}
