//! The sites that load snippets.

use async_trait::async_trait;
use domain::ProjectId;

use super::PostgresStore;
use super::query::{execute, query};
use crate::installations::INSTALLATIONS_AT_MOST;
use crate::statements::installations::{FORGET_INSTALLATIONS, LIST_INSTALLATIONS, RECORD_LOAD};
use crate::stored::project_row_id;
use crate::{Installation, InstallationStore, SnippetLoad, StorageError};

#[async_trait]
impl InstallationStore for PostgresStore {
    /// One statement after the other without a transaction: no two processes hold rows that each other waits for.
    async fn record_loads(&self, loads: Vec<SnippetLoad>) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        for SnippetLoad { project, origin, at } in &loads {
            let project = project_row_id(*project);
            let values = [&project as _, origin as _, &at.as_milliseconds() as _];
            execute(&connection.database, RECORD_LOAD, &values).await?;
            let values = [&project as _, &INSTALLATIONS_AT_MOST as _];
            execute(&connection.database, FORGET_INSTALLATIONS, &values).await?;
        }
        Ok(())
    }

    async fn list_installations(
        &self,
        project: ProjectId,
    ) -> Result<Vec<Installation>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(project) as _];
        let rows = query(&connection.database, LIST_INSTALLATIONS, &values).await?;
        rows.iter().map(Installation::from_row).collect()
    }
}
