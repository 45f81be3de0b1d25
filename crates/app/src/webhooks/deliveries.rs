//! The log of deliveries, and how a delivery is tried again.

use serde_json::json;
use storage::{AuditEvent, ListRange, StorageError, Webhook, WebhookDelivery};
use thiserror::Error;

use crate::App;
use crate::roles::{Actor, RoleError};
use crate::webhooks::description::entity;
use crate::webhooks::test::SwitchedOff;

/// Why a delivery is not tried again.
#[derive(Debug, Error)]
pub enum RedeliverError {
    /// A server is at it: a webhook gets one request at a time.
    #[error("the delivery is being sent at this moment; look what comes of it first")]
    UnderWay,
    /// Nothing is sent to the webhook.
    #[error(transparent)]
    SwitchedOff(#[from] SwitchedOff),
}

impl From<RoleError> for RedeliverError {
    fn from(error: RoleError) -> Self {
        Self::SwitchedOff(error.into())
    }
}

impl From<StorageError> for RedeliverError {
    fn from(error: StorageError) -> Self {
        Self::SwitchedOff(error.into())
    }
}

/// A part of the deliveries to a webhook, the newest first, and how many there are. It goes back thirty days. What was delivered may tell results.
///
/// # Errors
/// See [`RoleError`].
pub async fn list_deliveries(
    app: &App,
    actor: &Actor,
    webhook: &Webhook,
    page: ListRange,
) -> Result<(Vec<WebhookDelivery>, u64), RoleError> {
    actor.require_telling_results(app, webhook.project).await?;
    Ok(app.store().list_webhook_deliveries(&webhook.id, page).await?)
}

/// The delivery of a message to a webhook.
///
/// # Errors
/// See [`RoleError`].
pub async fn find_delivery(
    app: &App,
    actor: &Actor,
    webhook: &Webhook,
    message: &str,
) -> Result<Option<WebhookDelivery>, RoleError> {
    actor.require_telling_results(app, webhook.project).await?;
    Ok(app.store().find_webhook_delivery(&webhook.id, message).await?)
}

/// Has a message delivered again, with the same id and as many attempts as the first time; `None` if it was never announced to the webhook.
///
/// # Errors
/// See [`RedeliverError`].
pub async fn redeliver(
    app: &App,
    actor: &Actor,
    webhook: &Webhook,
    message: &str,
) -> Result<Option<WebhookDelivery>, RedeliverError> {
    if find_delivery(app, actor, webhook, message).await?.is_none() {
        return Ok(None);
    }
    if !app.sends_webhooks() {
        return Err(SwitchedOff::NoneSent.into());
    }
    let change = json!([{"op": "replace", "path": "/deliveries", "value": message}]);
    let about = (webhook.project, &*entity(&webhook.id));
    let entry = actor.entry(app, AuditEvent::WebhookRedelivered, about, &change);
    if app.store().redeliver_to_webhook(&webhook.id, message, entry).await? {
        return Ok(app.store().find_webhook_delivery(&webhook.id, message).await?);
    }
    let now = app.store().find_webhook(&webhook.id).await?;
    let is_on = now.is_some_and(|webhook| webhook.is_enabled);
    Err(if is_on { RedeliverError::UnderWay } else { SwitchedOff::Off.into() })
}
