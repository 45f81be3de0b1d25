//! The public keys with which servers and apps add events.

use async_trait::async_trait;
use domain::ProjectId;

use super::query::{begin, commit, execute, query_opt};
use super::{PostgresStore, audit, authority, projects};
use crate::events_keys::{EventsKey, EventsKeyStore, NewEventsKey};
use crate::row::Row as _;
use crate::statements::events_keys::{
    FIND_EVENTS_KEY, FIND_PROJECT_OF_EVENTS_KEY, REMOVE_EVENTS_KEY, SET_EVENTS_KEY,
};
use crate::stored::{project_id, project_row_id};
use crate::{NewAuditEntry, StorageError};

#[async_trait]
impl EventsKeyStore for PostgresStore {
    async fn set_events_key(
        &self,
        NewEventsKey { authority, project, key }: NewEventsKey,
        entry: NewAuditEntry,
    ) -> Result<(), StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        projects::hold(&transaction, project).await?;
        authority::hold(&transaction, authority, key.made_at).await?;
        let made_at = key.made_at.as_milliseconds();
        let values = [&project_row_id(project) as _, &key.key as _, &made_at as _];
        execute(&transaction, SET_EVENTS_KEY, &values).await?;
        audit::add(&transaction, &entry).await?;
        commit(transaction).await
    }

    async fn find_events_key(&self, project: ProjectId) -> Result<Option<EventsKey>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(project) as _];
        let row = query_opt(&connection.database, FIND_EVENTS_KEY, &values).await?;
        row.as_ref().map(EventsKey::from_row).transpose()
    }

    async fn find_project_of_events_key(
        &self,
        key: &str,
    ) -> Result<Option<ProjectId>, StorageError> {
        let connection = self.connections.get().await?;
        let found = query_opt(&connection.database, FIND_PROJECT_OF_EVENTS_KEY, &[&key]).await?;
        found.map(|row| project_id(row.column(0)?)).transpose()
    }

    async fn remove_events_key(
        &self,
        project: ProjectId,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        if execute(&transaction, REMOVE_EVENTS_KEY, &[&project_row_id(project) as _]).await? == 0 {
            return Ok(false);
        }
        audit::add(&transaction, &entry).await?;
        commit(transaction).await?;
        Ok(true)
    }
}
