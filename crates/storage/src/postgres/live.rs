//! The live revisions, from memory as long as no publication of another process can have been missed.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use domain::ProjectId;
use oauth::Timestamp;

use super::PostgresStore;
use super::query::query;
use crate::live_numbers::{DELETED, Hearing, Numbers};
use crate::statements::revisions::LIST_LIVE_NUMBERS;
use crate::stored::{project_id, revision_number};
use crate::{LiveStore, StorageError};

#[async_trait]
impl LiveStore for PostgresStore {
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

impl PostgresStore {
    async fn find_number(
        &self,
        project: ProjectId,
        now: Timestamp,
    ) -> Result<Option<u32>, StorageError> {
        let has_heard_everything = || self.listener().has_heard_everything();
        let hearing =
            || if has_heard_everything() { Hearing::Everything } else { Hearing::Nothing };
        let read = async {
            let connection = self.connections.get().await?;
            numbers(&connection.database).await
        };
        self.live.find_or_read(project, now, hearing, read).await
    }
}

async fn numbers(database: &impl GenericClient) -> Result<Numbers, StorageError> {
    let rows = query(database, LIST_LIVE_NUMBERS, &[]).await?;
    rows.iter()
        .map(|row| Ok((project_id(row.try_get(0)?)?, revision_number(row.try_get(1)?)?)))
        .collect()
}
