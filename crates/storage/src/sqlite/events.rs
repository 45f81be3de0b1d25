//! Events that pages and servers sent.

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;
use rusqlite::{Connection, Params, params};

use super::query::{execute, query, query_opt};
use super::{SqliteStore, audit, checkpoints};
use crate::events::{DELETED_AT_ONCE, Sinks, project};
use crate::statements::events::{
    ADD_EVENT_FILE, ADD_LOST_EVENT_DAY, ADD_SENT_EVENT_FILE, DELETE_LOGGED_EVENTS,
    FORGET_SENT_EVENT_FILE, LIST_EVENT_FILES, LIST_EVENT_LOGS, LIST_LOG_BETWEEN,
    LIST_LOGGED_EVENTS_ONE_BY_ONE, LIST_LOST_EVENT_DAYS, LIST_PROJECTS_WITH_EVENT_FILES,
    LIST_SENT_EVENT_FILES, LIST_SINKS_OF_EVENT_FILE, LOG_EVENTS, TAKE_EVENT_FILE, TAKE_FROM_LOG,
    TAKE_LOG_BETWEEN, WEIGH_EVENTS,
};
use crate::stored::project_row_id;
use crate::{
    EventFile, EventLog, EventStore, EventWeight, LoggedEvents, LostEventDay, MovedEvents,
    NewEvents, StorageError,
};

#[async_trait]
impl EventStore for SqliteStore {
    async fn log_events(&self, events: NewEvents) -> Result<(), StorageError> {
        self.writer.write(None, move |database| log(database, &events)).await
    }

    async fn list_logged_events(
        &self,
        project: ProjectId,
        after: i64,
        bytes: i64,
    ) -> Result<Vec<LoggedEvents>, StorageError> {
        let list = move |database: &Connection| {
            list_logged(database, params![project_row_id(project), after], bytes)
        };
        self.readers.read(list).await
    }

    async fn list_event_logs(&self) -> Result<Vec<EventLog>, StorageError> {
        let list = |database: &Connection| {
            query(database, LIST_EVENT_LOGS, [], |row| EventLog::from_row(row))
        };
        self.readers.read(list).await
    }

    async fn list_event_files(&self, project: ProjectId) -> Result<Vec<EventFile>, StorageError> {
        let list = move |database: &Connection| {
            let values = params![project_row_id(project)];
            query(database, LIST_EVENT_FILES, values, |row| EventFile::from_row(row))
        };
        self.readers.read(list).await
    }

    async fn list_projects_with_event_files(&self) -> Result<Vec<ProjectId>, StorageError> {
        let list = |database: &Connection| {
            query(database, LIST_PROJECTS_WITH_EVENT_FILES, [], |row| project(row.get(0)?))
        };
        self.readers.read(list).await
    }

    async fn move_events(&self, moved: MovedEvents) -> Result<bool, StorageError> {
        let work = move |database: &Connection| move_events(database, &moved);
        match self.writer.write(None, work).await {
            // What was done until then is undone.
            Err(StorageError::Conflict) => Ok(false),
            done => done.map(|()| true),
        }
    }

    async fn erase_deleted(&self) {
        let file = self.file();
        // A file in its place must not get this log. A file that is gone gets it from the checkpoint thread, wherever it is.
        if file.require_in_place(0).is_err() {
            return;
        }
        let erased = tokio::task::spawn_blocking(move || checkpoints::erase(file.path())).await;
        match erased {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => tracing::warn!(
                "what was deleted stays in the log of the database until it is written over: it is being read, as by a backup"
            ),
            Ok(Err(error)) => tracing::warn!("what was deleted stays in the log: {error}"),
            Err(panic) => tracing::warn!("what was deleted stays in the log: {panic}"),
        }
    }

    async fn delete_logged_events(&self, before: Timestamp) -> Result<u64, StorageError> {
        let delete = move |database: &Connection| {
            let values = params![before.as_milliseconds(), DELETED_AT_ONCE];
            execute(database, DELETE_LOGGED_EVENTS, values)
        };
        Ok(u64::try_from(self.writer.write(None, delete).await?).unwrap_or(u64::MAX))
    }

    async fn list_sent_event_files(
        &self,
        sink: &str,
        project: ProjectId,
    ) -> Result<Vec<String>, StorageError> {
        let sink = sink.to_owned();
        let list = move |database: &Connection| {
            let values = params![sink, project_row_id(project)];
            query(database, LIST_SENT_EVENT_FILES, values, |row| Ok(row.get(0)?))
        };
        self.readers.read(list).await
    }

    async fn add_sent_event_file(
        &self,
        sink: &str,
        project: ProjectId,
        name: &str,
    ) -> Result<(), StorageError> {
        let (sink, name) = (sink.to_owned(), name.to_owned());
        let add = move |database: &Connection| {
            execute(database, ADD_SENT_EVENT_FILE, params![sink, project_row_id(project), name])
        };
        self.writer.write(None, add).await.map(drop)
    }

    async fn list_lost_event_days(
        &self,
        project: ProjectId,
    ) -> Result<Vec<LostEventDay>, StorageError> {
        let list = move |database: &Connection| {
            let values = params![project_row_id(project)];
            query(database, LIST_LOST_EVENT_DAYS, values, |row| LostEventDay::from_row(row))
        };
        self.readers.read(list).await
    }

    async fn weigh_events(&self, project: ProjectId) -> Result<EventWeight, StorageError> {
        let weigh = move |database: &Connection| {
            let values = params![project_row_id(project)];
            let found =
                query_opt(database, WEIGH_EVENTS, values, |row| EventWeight::from_row(row))?;
            Ok(found.unwrap_or_default())
        };
        self.readers.read(weigh).await
    }
}

/// The engine would weigh all rows before it tells the first.
fn list_logged(
    database: &Connection,
    values: impl Params,
    bytes: i64,
) -> Result<Vec<LoggedEvents>, StorageError> {
    let mut statement = database.prepare_cached(LIST_LOGGED_EVENTS_ONE_BY_ONE)?;
    let mut rows = statement.query(values)?;
    let (mut listed, mut left) = (Vec::new(), usize::try_from(bytes).unwrap_or(0));
    while left > 0
        && let Some(row) = rows.next()?
    {
        let one = LoggedEvents::from_row(row)?;
        left = left.saturating_sub(one.body.len());
        listed.push(one);
    }
    Ok(listed)
}

fn log(database: &Connection, events: &NewEvents) -> Result<(), StorageError> {
    let NewEvents { project, received_at, last_at, events, body } = events;
    let (project, received_at) = (project_row_id(*project), received_at.as_milliseconds());
    let values = params![project, received_at, last_at.as_milliseconds(), events, body];
    execute(database, LOG_EVENTS, values)?;
    Ok(())
}

fn move_events(database: &Connection, moved: &MovedEvents) -> Result<(), StorageError> {
    let project = project_row_id(moved.project);
    let was_there = |rows: usize| if rows == 1 { Ok(()) } else { Err(StorageError::Conflict) };
    take_from_log(database, project, &moved.from_log)?;
    let sinks = sinks_of_files(database, moved)?;
    for name in &moved.from_files {
        execute(database, FORGET_SENT_EVENT_FILE, params![project, name])?;
        was_there(execute(database, TAKE_EVENT_FILE, params![project, name])?)?;
    }
    for events in &moved.to_log {
        log(database, events)?;
    }
    for (file, sinks) in moved.coming(&sinks) {
        let [day, events, bytes, first, last, received, sealed] = file.numbers();
        let values = params![project, file.name, day, events, bytes, first, last, received, sealed];
        execute(database, ADD_EVENT_FILE, values)?;
        for sink in &sinks {
            execute(database, ADD_SENT_EVENT_FILE, params![sink, project, file.name])?;
        }
    }
    for lost in &moved.lost {
        let [day, events, received] = lost.numbers();
        execute(database, ADD_LOST_EVENT_DAY, params![project, day, events, received])?;
    }
    moved.entry.iter().try_for_each(|entry| audit::add(database, entry))
}

/// All at once, if they are all that a stretch of the log has: thousands of statements would keep other writers waiting.
fn take_from_log(database: &Connection, project: i64, ids: &[i64]) -> Result<(), StorageError> {
    let [first, .., last] = ids else {
        return ids.iter().try_for_each(|id| take_one_from_log(database, project, *id));
    };
    let stretch = params![project, first, last];
    let there: Vec<i64> = query(database, LIST_LOG_BETWEEN, stretch, |row| Ok(row.get(0)?))?;
    if there == ids {
        return execute(database, TAKE_LOG_BETWEEN, stretch).map(drop);
    }
    ids.iter().try_for_each(|id| take_one_from_log(database, project, *id))
}

fn take_one_from_log(database: &Connection, project: i64, id: i64) -> Result<(), StorageError> {
    match execute(database, TAKE_FROM_LOG, params![project, id])? {
        1 => Ok(()),
        _ => Err(StorageError::Conflict),
    }
}

fn sinks_of_files(database: &Connection, moved: &MovedEvents) -> Result<Sinks, StorageError> {
    let project = project_row_id(moved.project);
    let of_files = moved.from_files.iter().map(|name| {
        let values = params![project, name];
        let sinks = query(database, LIST_SINKS_OF_EVENT_FILE, values, |row| Ok(row.get(0)?))?;
        Ok((name.clone(), sinks))
    });
    of_files.collect()
}
