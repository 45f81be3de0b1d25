//! The webhooks of a project. Their addresses may be all that one needs to write to a receiver, so that only members see them who could
//! change them.

use std::collections::BTreeMap;

use domain::ProjectId;
use oauth::Timestamp;
use storage::Webhook;

use crate::App;
use crate::roles::{Actor, RoleError};

/// The webhooks of project `id`, those made first first. `None` if there is no such project.
///
/// # Errors
/// See [`RoleError`].
pub async fn list_webhooks(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<Option<Vec<Webhook>>, RoleError> {
    actor.require_announcing(app, id).await?;
    if !app.store().has_project(id).await? {
        return Ok(None);
    }
    Ok(Some(app.store().list_webhooks(id).await?))
}

/// A webhook of project `id`; `None` if there is none with this id.
///
/// # Errors
/// See [`RoleError`].
pub async fn find_webhook(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    webhook: &str,
) -> Result<Option<Webhook>, RoleError> {
    actor.require_announcing(app, id).await?;
    let found = app.store().find_webhook(webhook).await?;
    Ok(found.filter(|webhook| webhook.project == id))
}

/// Until when the webhooks of project `id` get nothing, as their receivers asked for: those that are held now, by their ids.
///
/// # Errors
/// See [`RoleError`].
pub async fn list_holds(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<BTreeMap<String, Timestamp>, RoleError> {
    actor.require_announcing(app, id).await?;
    Ok(app.store().list_webhook_holds(id, app.now()).await?.into_iter().collect())
}
