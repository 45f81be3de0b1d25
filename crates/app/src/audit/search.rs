//! A member searches the audit log.

use domain::ProjectId;
use oauth::Timestamp;
use storage::{AuditEntry, AuditEvent, AuditFilter, AuditPerson, ListRange, StorageError};

use crate::App;
use crate::roles::{Actor, Permission, RoleError};

/// What to look for; each part narrows the search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditSearch {
    /// A change of this project.
    pub project: Option<ProjectId>,
    /// What this person did, and what was done about them: an e-mail address, or the id of a member.
    pub person: Option<String>,
    /// This kind of event.
    pub event: Option<AuditEvent>,
    /// At this moment or later.
    pub since: Option<Timestamp>,
    /// Before this moment.
    pub until: Option<Timestamp>,
}

/// A page of what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundEntries {
    /// The entries of the page, newest first.
    pub entries: Vec<AuditEntry>,
    /// How many there are on all pages.
    pub total: u64,
}

/// One page of the entries that fit.
///
/// # Errors
/// See [`RoleError`].
pub async fn search_audit(
    app: &App,
    actor: &Actor,
    search: AuditSearch,
    page: ListRange,
) -> Result<FoundEntries, RoleError> {
    actor.require(app, None, Permission::ReadAudit).await?;
    let AuditSearch { project, person, event, since, until } = search;
    let person = match person.as_deref().map(str::trim) {
        None | Some("") => None,
        Some(text) => Some(find_person(app, text).await?),
    };
    let filter = AuditFilter { project, person, event, since, until };
    let entries = app.store().search_audit_entries(filter.clone(), page).await?;
    let total = app.store().count_audit_entries(filter).await?;
    Ok(FoundEntries { entries, total })
}

/// The log names members by their ids, and those who came, went or were invited by their addresses. Of a member who is gone it has both.
async fn find_person(app: &App, text: &str) -> Result<AuditPerson, StorageError> {
    if let Ok(id) = text.parse() {
        let email = app.store().lookup_member(id).await?.map(|member| member.email);
        return Ok(AuditPerson { id: Some(id), email });
    }
    let email = text.to_lowercase();
    let member = app.store().find_member_by_email(&email).await?;
    Ok(AuditPerson { id: member.map(|member| member.id), email: Some(email) })
}
