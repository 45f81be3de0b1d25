//! The public keys with which servers and apps add events.

use async_trait::async_trait;
use domain::ProjectId;
use rusqlite::{Connection, params};

use super::query::{execute, query_opt};
use super::{SqliteStore, audit, authority, projects};
use crate::events_keys::{EventsKey, EventsKeyStore, NewEventsKey};
use crate::row::Row as _;
use crate::statements::events_keys::{
    FIND_EVENTS_KEY, FIND_PROJECT_OF_EVENTS_KEY, REMOVE_EVENTS_KEY, SET_EVENTS_KEY,
};
use crate::stored::{project_id, project_row_id};
use crate::{NewAuditEntry, StorageError};

#[async_trait]
impl EventsKeyStore for SqliteStore {
    async fn set_events_key(
        &self,
        new: NewEventsKey,
        entry: NewAuditEntry,
    ) -> Result<(), StorageError> {
        let at = entry.act.at;
        let work = move |database: &Connection| {
            let NewEventsKey { authority, project, key } = &new;
            projects::check(database, *project)?;
            authority::check(database, *authority, key.made_at)?;
            let values = params![project_row_id(*project), key.key, key.made_at.as_milliseconds()];
            execute(database, SET_EVENTS_KEY, values)?;
            audit::add(database, &entry)
        };
        self.writer.write(Some(at), work).await
    }

    async fn find_events_key(&self, project: ProjectId) -> Result<Option<EventsKey>, StorageError> {
        let find = move |database: &Connection| {
            let values = [project_row_id(project)];
            query_opt(database, FIND_EVENTS_KEY, values, |row| EventsKey::from_row(row))
        };
        self.readers.read(find).await
    }

    async fn find_project_of_events_key(
        &self,
        key: &str,
    ) -> Result<Option<ProjectId>, StorageError> {
        let key = key.to_owned();
        let find = move |database: &Connection| {
            query_opt(database, FIND_PROJECT_OF_EVENTS_KEY, [&key], |row| {
                project_id(row.column(0)?)
            })
        };
        self.readers.read(find).await
    }

    async fn remove_events_key(
        &self,
        project: ProjectId,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let at = entry.act.at;
        let work = move |database: &Connection| {
            if execute(database, REMOVE_EVENTS_KEY, [project_row_id(project)])? == 0 {
                return Ok(false);
            }
            audit::add(database, &entry)?;
            Ok(true)
        };
        self.writer.write(Some(at), work).await
    }
}
