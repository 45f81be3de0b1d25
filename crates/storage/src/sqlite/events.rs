//! Events that pages and servers sent.

use async_trait::async_trait;
use domain::ProjectId;
use rusqlite::{Connection, params};

use super::SqliteStore;
use super::query::{execute, query, query_opt};
use crate::statements::events::{LIST_LOGGED_EVENTS, LOG_EVENTS, WEIGH_EVENT_LOG};
use crate::stored::project_row_id;
use crate::{EventLogWeight, EventStore, LoggedEvents, NewEvents, StorageError};

#[async_trait]
impl EventStore for SqliteStore {
    async fn log_events(&self, events: NewEvents) -> Result<(), StorageError> {
        let log = move |database: &Connection| {
            let NewEvents { project, received_at, events, body } = &events;
            let project = project_row_id(*project);
            execute(
                database,
                LOG_EVENTS,
                params![project, received_at.as_milliseconds(), events, body],
            )?;
            Ok(())
        };
        self.writer.write(None, log).await
    }

    async fn list_logged_events(
        &self,
        project: ProjectId,
        after: i64,
        bytes: i64,
    ) -> Result<Vec<LoggedEvents>, StorageError> {
        let list = move |database: &Connection| {
            let values = params![project_row_id(project), after, bytes];
            query(database, LIST_LOGGED_EVENTS, values, |row| LoggedEvents::from_row(row))
        };
        self.readers.read(list).await
    }

    async fn weigh_event_log(&self, project: ProjectId) -> Result<EventLogWeight, StorageError> {
        let weigh = move |database: &Connection| {
            let values = params![project_row_id(project)];
            let found =
                query_opt(database, WEIGH_EVENT_LOG, values, |row| EventLogWeight::from_row(row))?;
            Ok(found.unwrap_or_default())
        };
        self.readers.read(weigh).await
    }
}
