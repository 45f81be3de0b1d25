//! The key with which servers and apps add events of a project. It is public by design, like the id in the address of the snippet: who has it may
//! add events, and can do nothing else. So it is kept as it is, and every member of the project may look at it.

use domain::ProjectId;
use oauth::{CredentialKind, Moment};
use secrecy::ExposeSecret as _;
use serde_json::Value;
use storage::{AuditEvent, EventsKey, NewEventsKey};

use crate::App;
use crate::dto;
use crate::roles::{Actor, Permission, RoleError};

dto! {
    /// The key with which servers and apps add events of a project. It is no secret: it adds events and does nothing else.
    pub struct EventsKeyDto: "events_key" {
        /// The key, for `Authorization: Bearer`.
        key: String,
        /// When it was made.
        made_at: String where {"format": "date-time"},
    }
}

impl From<&EventsKey> for EventsKeyDto {
    fn from(key: &EventsKey) -> Self {
        Self { key: key.key.clone(), made_at: Moment::from(key.made_at).machine() }
    }
}

/// The key of a project; `None` if there is no such project, or it has no key.
///
/// # Errors
/// See [`RoleError`].
pub async fn find_events_key(
    app: &App,
    actor: &Actor,
    project: ProjectId,
) -> Result<Option<EventsKey>, RoleError> {
    actor.require(app, Some(project), Permission::ReadConfiguration).await?;
    Ok(app.store().find_events_key(project).await?)
}

/// Makes a new key of a project. What shows the one before is refused from now on. `None` if there is no such project.
///
/// # Errors
/// See [`RoleError`].
pub async fn renew_events_key(
    app: &App,
    actor: &Actor,
    project: ProjectId,
) -> Result<Option<EventsKey>, RoleError> {
    actor.require(app, Some(project), Permission::WriteDraft).await?;
    if !app.store().has_project(project).await? {
        return Ok(None);
    }
    let issued = app.issue_credential(CredentialKind::EventsKey);
    let key = EventsKey { key: issued.credential.expose_secret().to_owned(), made_at: app.now() };
    let entry = actor.entry(app, AuditEvent::EventsKeyMade, (project, ENTITY), &Value::Null);
    let new = NewEventsKey { authority: actor.authority()?, project, key: key.clone() };
    app.store().set_events_key(new, entry).await?;
    Ok(Some(key))
}

/// Removes the key of a project: only pages and programs with a token add events from now on. Returns whether there was one.
///
/// # Errors
/// See [`RoleError`].
pub async fn remove_events_key(
    app: &App,
    actor: &Actor,
    project: ProjectId,
) -> Result<bool, RoleError> {
    actor.require(app, Some(project), Permission::WriteDraft).await?;
    let entry = actor.entry(app, AuditEvent::EventsKeyRemoved, (project, ENTITY), &Value::Null);
    Ok(app.store().remove_events_key(project, entry).await?)
}

/// What the audit log calls it.
const ENTITY: &str = "events key";
