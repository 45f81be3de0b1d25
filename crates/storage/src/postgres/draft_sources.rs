//! The project files that drafts were applied from.

use async_trait::async_trait;
use domain::ProjectId;

use super::PostgresStore;
use super::query::{execute, query_opt};
use crate::statements::draft_sources::{FIND_DRAFT_SOURCE, SET_DRAFT_SOURCE};
use crate::stored::project_row_id;
use crate::{DraftSource, DraftSourceStore, StorageError};

#[async_trait]
impl DraftSourceStore for PostgresStore {
    async fn set_draft_source(
        &self,
        project: ProjectId,
        draft_version: i64,
        DraftSource { text, draft_tag }: DraftSource,
    ) -> Result<bool, StorageError> {
        let connection = self.connections.get().await?;
        let values =
            [&text as _, &draft_tag as _, &project_row_id(project) as _, &draft_version as _];
        Ok(execute(&connection.database, SET_DRAFT_SOURCE, &values).await? > 0)
    }

    async fn find_draft_source(
        &self,
        project: ProjectId,
    ) -> Result<Option<DraftSource>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(project) as _];
        let row = query_opt(&connection.database, FIND_DRAFT_SOURCE, &values).await?;
        row.as_ref().map(DraftSource::from_row).transpose()
    }
}
