//! Lists and revokes the preview links of a project. Who may make links may see and revoke those of others: they show the same project.

use domain::ProjectId;
use serde_json::Value;
use storage::AuditEvent;

use crate::App;
use crate::previews::link::PreviewLink;
use crate::roles::{Actor, Permission, RoleError};
use crate::signing_key::signing_key;

/// The links of project `id`, those made last first; some stay a while after they ended. `None` if there is no such project.
///
/// # Errors
/// See [`RoleError`].
pub async fn list_preview_links(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<Option<Vec<PreviewLink>>, RoleError> {
    actor.require(app, Some(id), Permission::WriteDraft).await?;
    if !app.store().has_project(id).await? {
        return Ok(None);
    }
    let key = signing_key(app).await?;
    let mut links = Vec::new();
    for link in app.store().list_preview_links(id).await? {
        links.push(PreviewLink::of(app, link, &key).await?);
    }
    Ok(Some(links))
}

/// Revokes a link: it shows what visitors see from now on. Returns whether the project has the link.
///
/// # Errors
/// See [`RoleError`].
pub async fn revoke_preview_link(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    link_id: &str,
) -> Result<bool, RoleError> {
    actor.require(app, Some(id), Permission::WriteDraft).await?;
    let entity = format!("preview link {link_id}");
    let entry = actor.entry(app, AuditEvent::PreviewLinkRevoked, (id, &entity), &Value::Null);
    Ok(app.store().revoke_preview_link(id, link_id, entry).await?)
}
