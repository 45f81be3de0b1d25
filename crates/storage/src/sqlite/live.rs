//! The live revisions, from memory. Other processes send no notifications, and a page must not wait for the writer: so the short list of
//! numbers is read again and again.

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;
use rusqlite::Connection;

use super::SqliteStore;
use crate::live_numbers::{DELETED, Hearing, Numbers};
use crate::statements::revisions::LIST_LIVE_NUMBERS;
use crate::stored::project_id;
use crate::{LiveStore, StorageError};

#[async_trait]
impl LiveStore for SqliteStore {
    async fn live_number(
        &self,
        project: ProjectId,
        now: Timestamp,
    ) -> Result<Option<u32>, StorageError> {
        Ok(self.find_number(project, now).await?.filter(|number| *number != DELETED))
    }

    async fn was_deleted(&self, project: ProjectId, now: Timestamp) -> Result<bool, StorageError> {
        Ok(self.find_number(project, now).await? == Some(DELETED))
    }
}

impl SqliteStore {
    async fn find_number(
        &self,
        project: ProjectId,
        now: Timestamp,
    ) -> Result<Option<u32>, StorageError> {
        let read = self.readers.read(numbers);
        self.live.find_or_read(project, now, || Hearing::Nothing, read).await
    }
}

fn numbers(database: &Connection) -> Result<Numbers, StorageError> {
    let mut statement = database.prepare_cached(LIST_LIVE_NUMBERS)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.map(|row| {
        let (id, number) = row?;
        Ok((project_id(id)?, number))
    })
    .collect()
}
