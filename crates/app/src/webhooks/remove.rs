//! Removes a webhook.

use domain::ProjectId;
use serde_json::Value;
use storage::AuditEvent;

use crate::App;
use crate::roles::{Actor, RoleError};
use crate::webhooks::description::entity;

/// Removes a webhook with the log of its deliveries; what waits is not delivered. Returns whether the project had it.
///
/// # Errors
/// See [`RoleError`].
pub async fn remove_webhook(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    webhook: &str,
) -> Result<bool, RoleError> {
    actor.require_announcing(app, id).await?;
    let about = (id, &*entity(webhook));
    let entry = actor.entry(app, AuditEvent::WebhookRemoved, about, &Value::Null);
    Ok(app.store().remove_webhook(id, webhook, entry).await?)
}
