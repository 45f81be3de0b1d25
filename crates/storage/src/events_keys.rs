//! The public keys with which servers and apps add events of a project.

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;

use crate::row::Row;
use crate::{Authority, NewAuditEntry, StorageError};

/// The public keys of projects.
#[async_trait]
pub trait EventsKeyStore: Send + Sync + 'static {
    /// Makes this the key of the project; an earlier one is no key from then on. [`StorageError::SignedOut`] if the authority has ended.
    async fn set_events_key(
        &self,
        key: NewEventsKey,
        entry: NewAuditEntry,
    ) -> Result<(), StorageError>;

    /// The key of a project, if it has one.
    async fn find_events_key(&self, project: ProjectId) -> Result<Option<EventsKey>, StorageError>;

    /// The project that has this key at the moment, if any has.
    async fn find_project_of_events_key(
        &self,
        key: &str,
    ) -> Result<Option<ProjectId>, StorageError>;

    /// Removes the key of a project; returns whether there was one.
    async fn remove_events_key(
        &self,
        project: ProjectId,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError>;
}

/// A key to keep.
#[derive(Debug, Clone)]
pub struct NewEventsKey {
    /// On whose authority.
    pub authority: Authority,
    /// Whose events it adds.
    pub project: ProjectId,
    /// The key.
    pub key: EventsKey,
}

/// The key of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventsKey {
    /// What senders show.
    pub key: String,
    /// When it was made.
    pub made_at: Timestamp,
}

impl EventsKey {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self { key: row.column(0)?, made_at: Timestamp::from_milliseconds(row.column(1)?) })
    }
}
