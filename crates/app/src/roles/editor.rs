//! Who works on a project: a member, through an application.

use std::net::IpAddr;

use domain::ProjectId;
use oauth::ClientId;
use serde_json::Value;
use storage::{Actor, AuditEvent, MemberId, NewAuditEntry, ProjectChange, StorageError};

use crate::App;
use crate::roles::Author;

/// Who does something to a project, from where, and in which request.
#[derive(Debug, Clone)]
pub struct Editor {
    /// The member in whose name it is done.
    pub member: MemberId,
    /// The application that does it.
    pub client_id: ClientId,
    /// Whether the application's token allows it to change what visitors get.
    pub can_publish: bool,
    /// Where the request came from.
    pub address: Option<IpAddr>,
    /// The request's id.
    pub request_id: String,
}

impl Editor {
    /// What the audit log tells of it. `change` is a JSON Patch, or null.
    pub(crate) fn entry(
        &self,
        app: &App,
        event: AuditEvent,
        (id, entity): (ProjectId, &str),
        change: &Value,
    ) -> NewAuditEntry {
        NewAuditEntry {
            event,
            act: app.act(Actor::Client, self.address),
            member: Some(self.member),
            client_id: Some(self.client_id.clone()),
            detail: String::new(),
            project: Some(ProjectChange {
                id,
                entity: entity.to_owned(),
                change: if change.is_null() { String::new() } else { change.to_string() },
                request_id: self.request_id.clone(),
            }),
        }
    }

    /// Who changes a draft now.
    pub(crate) async fn as_author(&self, app: &App) -> Result<Author, StorageError> {
        Ok(Author { at: app.now(), by: self.author(app).await? })
    }

    /// The author of a revision, in words for people.
    pub(crate) async fn author(&self, app: &App) -> Result<String, StorageError> {
        let member = app.store().lookup_member(self.member).await?;
        Ok(member.map_or_else(|| format!("member {}", self.member), |member| member.email))
    }
}
