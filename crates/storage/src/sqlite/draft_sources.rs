//! The project files that drafts were applied from.

use async_trait::async_trait;
use domain::ProjectId;
use rusqlite::{Connection, params};

use super::SqliteStore;
use super::query::{execute, query_opt};
use crate::statements::draft_sources::{FIND_DRAFT_SOURCE, SET_DRAFT_SOURCE};
use crate::stored::project_row_id;
use crate::{DraftSource, DraftSourceStore, StorageError};

#[async_trait]
impl DraftSourceStore for SqliteStore {
    async fn set_draft_source(
        &self,
        project: ProjectId,
        draft_version: i64,
        DraftSource { text, draft_tag }: DraftSource,
    ) -> Result<bool, StorageError> {
        let set = move |database: &Connection| {
            let values = params![text, draft_tag, project_row_id(project), draft_version];
            Ok(execute(database, SET_DRAFT_SOURCE, values)? > 0)
        };
        self.writer.write(None, set).await
    }

    async fn find_draft_source(
        &self,
        project: ProjectId,
    ) -> Result<Option<DraftSource>, StorageError> {
        let find = move |database: &Connection| {
            let values = [project_row_id(project)];
            query_opt(database, FIND_DRAFT_SOURCE, values, |row| DraftSource::from_row(row))
        };
        self.readers.read(find).await
    }
}
