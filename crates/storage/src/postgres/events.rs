//! Events that pages and servers sent.

use async_trait::async_trait;
use domain::ProjectId;

use super::PostgresStore;
use super::query::{execute, query, query_one};
use crate::statements::events::{LIST_LOGGED_EVENTS, LOG_EVENTS, WEIGH_EVENT_LOG};
use crate::stored::project_row_id;
use crate::{EventLogWeight, EventStore, LoggedEvents, NewEvents, StorageError};

#[async_trait]
impl EventStore for PostgresStore {
    async fn log_events(&self, events: NewEvents) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        let NewEvents { project, received_at, events, body } = &events;
        let (project, received_at) = (project_row_id(*project), received_at.as_milliseconds());
        let values = [&project as _, &received_at as _, &i64::from(*events) as _, body as _];
        execute(&connection.database, LOG_EVENTS, &values).await?;
        Ok(())
    }

    async fn list_logged_events(
        &self,
        project: ProjectId,
        after: i64,
        bytes: i64,
    ) -> Result<Vec<LoggedEvents>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(project) as _, &after as _, &bytes as _];
        let rows = query(&connection.database, LIST_LOGGED_EVENTS, &values).await?;
        rows.iter().map(LoggedEvents::from_row).collect()
    }

    async fn weigh_event_log(&self, project: ProjectId) -> Result<EventLogWeight, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(project) as _];
        let row = query_one(&connection.database, WEIGH_EVENT_LOG, &values).await?;
        EventLogWeight::from_row(&row)
    }
}
