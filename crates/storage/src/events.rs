//! Events that pages and servers sent.

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;

use crate::StorageError;
use crate::row::Row;

/// The log of events.
#[async_trait]
pub trait EventStore: Send + Sync + 'static {
    /// Keeps events.
    async fn log_events(&self, events: NewEvents) -> Result<(), StorageError>;

    /// What a project's log has after this place, the oldest first, some `bytes` of it at most, but one row at least.
    async fn list_logged_events(
        &self,
        project: ProjectId,
        after: i64,
        bytes: i64,
    ) -> Result<Vec<LoggedEvents>, StorageError>;

    /// How much a project's log has.
    async fn weigh_event_log(&self, project: ProjectId) -> Result<EventLogWeight, StorageError>;
}

/// What one request brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvents {
    /// Of which project.
    pub project: ProjectId,
    /// When they came.
    pub received_at: Timestamp,
    /// How many they are.
    pub events: u32,
    /// The events, as JSON.
    pub body: Vec<u8>,
}

/// What one request brought, in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedEvents {
    /// Its place in the log.
    pub sequence: i64,
    /// The events, as JSON.
    pub body: Vec<u8>,
}

impl LoggedEvents {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self { sequence: row.column(0)?, body: row.column(1)? })
    }
}

/// How much a log has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct EventLogWeight {
    /// Its events, each as often as it came.
    pub events: u64,
    /// When the newest came.
    pub newest_at: Option<Timestamp>,
}

impl EventLogWeight {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let events: i64 = row.column(0)?;
        let newest_at: Option<i64> = row.column(1)?;
        Ok(Self {
            events: events.unsigned_abs(),
            newest_at: newest_at.map(Timestamp::from_milliseconds),
        })
    }
}
