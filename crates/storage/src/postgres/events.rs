//! Events that pages and servers sent.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use domain::ProjectId;
use oauth::Timestamp;

use super::query::{begin, commit, execute, query, query_one};
use super::statements::events::TAKE_ALL_FROM_LOG;
use super::{PostgresStore, audit};
use crate::events::{DELETED_AT_ONCE, Sinks, project};
use crate::statements::events::{
    ADD_EVENT_FILE, ADD_LOST_EVENT_DAY, ADD_SENT_EVENT_FILE, DELETE_LOGGED_EVENTS,
    FORGET_SENT_EVENT_FILE, LIST_EVENT_FILES, LIST_EVENT_LOGS, LIST_LOGGED_EVENTS,
    LIST_LOST_EVENT_DAYS, LIST_PROJECTS_WITH_EVENT_FILES, LIST_SENT_EVENT_FILES,
    LIST_SINKS_OF_EVENT_FILE, LOG_EVENTS, TAKE_EVENT_FILE, WEIGH_EVENTS,
};
use crate::stored::project_row_id;
use crate::{
    EventFile, EventLog, EventStore, EventWeight, LoggedEvents, LostEventDay, MovedEvents,
    NewEvents, StorageError,
};

#[async_trait]
impl EventStore for PostgresStore {
    async fn log_events(&self, events: NewEvents) -> Result<(), StorageError> {
        log(&self.connections.get().await?.database, &events).await
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

    async fn list_event_logs(&self) -> Result<Vec<EventLog>, StorageError> {
        let connection = self.connections.get().await?;
        let rows = query(&connection.database, LIST_EVENT_LOGS, &[]).await?;
        rows.iter().map(EventLog::from_row).collect()
    }

    async fn list_event_files(&self, project: ProjectId) -> Result<Vec<EventFile>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(project) as _];
        let rows = query(&connection.database, LIST_EVENT_FILES, &values).await?;
        rows.iter().map(EventFile::from_row).collect()
    }

    async fn list_projects_with_event_files(&self) -> Result<Vec<ProjectId>, StorageError> {
        let connection = self.connections.get().await?;
        let rows = query(&connection.database, LIST_PROJECTS_WITH_EVENT_FILES, &[]).await?;
        rows.iter().map(|row| project(row.try_get(0)?)).collect()
    }

    async fn move_events(&self, moved: MovedEvents) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        let sinks = sinks_of_files(&transaction, &moved).await?;
        if !take(&transaction, &moved).await? {
            return Ok(false);
        }
        for events in &moved.to_log {
            log(&transaction, events).await?;
        }
        let project = project_row_id(moved.project);
        for (file, sinks) in moved.coming(&sinks) {
            let [day, events, bytes, first, last, received, sealed] = &file.numbers();
            let values = [
                &project as _,
                &file.name as _,
                day as _,
                events as _,
                bytes as _,
                first as _,
                last as _,
                received as _,
                sealed as _,
            ];
            execute(&transaction, ADD_EVENT_FILE, &values).await?;
            for sink in &sinks {
                add_sent(&transaction, sink, (moved.project, &file.name)).await?;
            }
        }
        for lost in &moved.lost {
            let [day, events, received] = &lost.numbers();
            let values = [&project as _, day as _, events as _, received as _];
            execute(&transaction, ADD_LOST_EVENT_DAY, &values).await?;
        }
        if let Some(entry) = &moved.entry {
            audit::add(&transaction, entry).await?;
        }
        commit(transaction).await?;
        Ok(true)
    }

    /// The server does: dead rows go with the next vacuum, its log by its own rules.
    async fn erase_deleted(&self) {}

    async fn delete_logged_events(&self, before: Timestamp) -> Result<u64, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&before.as_milliseconds() as _, &DELETED_AT_ONCE as _];
        execute(&connection.database, DELETE_LOGGED_EVENTS, &values).await
    }

    async fn list_sent_event_files(
        &self,
        sink: &str,
        project: ProjectId,
    ) -> Result<Vec<String>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&sink as _, &project_row_id(project) as _];
        let rows = query(&connection.database, LIST_SENT_EVENT_FILES, &values).await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    async fn add_sent_event_file(
        &self,
        sink: &str,
        project: ProjectId,
        name: &str,
    ) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        add_sent(&connection.database, sink, (project, name)).await
    }

    async fn list_lost_event_days(
        &self,
        project: ProjectId,
    ) -> Result<Vec<LostEventDay>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(project) as _];
        let rows = query(&connection.database, LIST_LOST_EVENT_DAYS, &values).await?;
        rows.iter().map(LostEventDay::from_row).collect()
    }

    async fn weigh_events(&self, project: ProjectId) -> Result<EventWeight, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(project) as _];
        let row = query_one(&connection.database, WEIGH_EVENTS, &values).await?;
        EventWeight::from_row(&row)
    }
}

async fn log(database: &impl GenericClient, events: &NewEvents) -> Result<(), StorageError> {
    let NewEvents { project, received_at, last_at, events, body } = events;
    let (project, received_at) = (project_row_id(*project), received_at.as_milliseconds());
    let (last_at, events) = (last_at.as_milliseconds(), i64::from(*events));
    let values = [&project as _, &received_at as _, &last_at as _, &events as _, body as _];
    execute(database, LOG_EVENTS, &values).await?;
    Ok(())
}

/// Whether all that is to go was there. A transaction that takes the same waits for this one, and then finds nothing.
async fn take(database: &impl GenericClient, moved: &MovedEvents) -> Result<bool, StorageError> {
    let project = project_row_id(moved.project);
    let values = [&project as _, &moved.from_log as _];
    let rows = execute(database, TAKE_ALL_FROM_LOG, &values).await?;
    if usize::try_from(rows) != Ok(moved.from_log.len()) {
        return Ok(false);
    }
    for name in &moved.from_files {
        execute(database, FORGET_SENT_EVENT_FILE, &[&project as _, name as _]).await?;
        if execute(database, TAKE_EVENT_FILE, &[&project as _, name as _]).await? != 1 {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn sinks_of_files(
    database: &impl GenericClient,
    moved: &MovedEvents,
) -> Result<Sinks, StorageError> {
    let (project, mut of_files) = (project_row_id(moved.project), Sinks::new());
    for name in &moved.from_files {
        let values = [&project as _, name as _];
        let rows = query(database, LIST_SINKS_OF_EVENT_FILE, &values).await?;
        let sinks: Result<Vec<String>, StorageError> =
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect();
        of_files.insert(name.clone(), sinks?);
    }
    Ok(of_files)
}

async fn add_sent(
    database: &impl GenericClient,
    sink: &str,
    (project, name): (ProjectId, &str),
) -> Result<(), StorageError> {
    let values = [&sink as _, &project_row_id(project) as _, &name as _];
    execute(database, ADD_SENT_EVENT_FILE, &values).await?;
    Ok(())
}
