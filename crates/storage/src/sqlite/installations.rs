//! The sites that load snippets.

use async_trait::async_trait;
use domain::ProjectId;
use rusqlite::{Connection, params};

use super::SqliteStore;
use crate::installations::INSTALLATIONS_AT_MOST;
use crate::statements::installations::{FORGET_INSTALLATIONS, LIST_INSTALLATIONS, RECORD_LOAD};
use crate::stored::project_row_id;
use crate::{Installation, InstallationStore, SnippetLoad, StorageError};

#[async_trait]
impl InstallationStore for SqliteStore {
    async fn record_loads(&self, loads: Vec<SnippetLoad>) -> Result<(), StorageError> {
        self.writer.write(None, move |database| record(database, &loads)).await
    }

    async fn list_installations(
        &self,
        project: ProjectId,
    ) -> Result<Vec<Installation>, StorageError> {
        let list = move |database: &Connection| {
            let mut statement = database.prepare_cached(LIST_INSTALLATIONS)?;
            let mut rows = statement.query([project_row_id(project)])?;
            let mut installations = Vec::new();
            while let Some(row) = rows.next()? {
                installations.push(Installation::from_row(row)?);
            }
            Ok(installations)
        };
        self.readers.read(list).await
    }
}

fn record(database: &Connection, loads: &[SnippetLoad]) -> Result<(), StorageError> {
    for SnippetLoad { project, origin, at } in loads {
        let project = project_row_id(*project);
        let values = params![project, origin, at.as_milliseconds()];
        database.prepare_cached(RECORD_LOAD)?.execute(values)?;
        let values = params![project, INSTALLATIONS_AT_MOST];
        database.prepare_cached(FORGET_INSTALLATIONS)?.execute(values)?;
    }
    Ok(())
}
