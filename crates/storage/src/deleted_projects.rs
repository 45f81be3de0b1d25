//! The end of a project: all that is of it goes at once. Its id stays taken ([`crate::LiveStore::was_deleted`]).

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;

use crate::row::Row;
use crate::{Act, ManagedBy, MemberId, NewAuditEntry, ProjectHead, StorageError};

/// Deletes projects.
#[async_trait]
pub trait DeletedProjectStore: Send + Sync + 'static {
    /// Deletes a project, and returns the names of its files of events, which are not listed any more. `None` if it is not as it was seen.
    ///
    /// Its draft, revisions, changes, links, webhooks, events and installations go, and so do roles in it, invitations to it, and the tokens of
    /// services that have no role elsewhere. The audit log stays.
    async fn delete_project(
        &self,
        deletion: ProjectDeletion,
    ) -> Result<Option<Vec<String>>, StorageError>;
}

/// A project to delete.
#[derive(Debug)]
pub struct ProjectDeletion {
    /// The project.
    pub project_id: ProjectId,
    /// The version of its draft that was seen to be archived.
    pub draft_version: i64,
    /// Its audit entry.
    pub entry: NewAuditEntry,
}

impl ProjectDeletion {
    /// Whether the project is still as it was seen. What a project file manages is not deleted, as the file would bring it back.
    pub(crate) fn fits(&self, head: Option<&ProjectHead>) -> bool {
        head.is_some_and(|head| {
            head.draft_version == self.draft_version && head.managed_by == ManagedBy::Store
        })
    }

    pub(crate) fn at(&self) -> Timestamp {
        self.entry.act.at
    }
}

/// The token of a service that goes with a project.
pub(crate) struct EndedToken {
    member: MemberId,
    id: String,
    name: String,
}

impl EndedToken {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self {
            member: MemberId::from_row(row.column(0)?),
            id: row.column(1)?,
            name: row.column(2)?,
        })
    }

    pub(crate) fn entry(&self, act: Act) -> NewAuditEntry {
        NewAuditEntry::of_removed_api_token(self.member, (&self.id, &self.name), act)
    }
}
