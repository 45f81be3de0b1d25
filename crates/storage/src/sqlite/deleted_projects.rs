//! The end of projects.

use std::sync::Arc;

use async_trait::async_trait;
use rusqlite::{Connection, params};

use super::query::{execute, query};
use super::{SqliteStore, audit, projects};
use crate::deleted_projects::EndedToken;
use crate::invalidation::{Change, Invalidation};
use crate::statements::deleted_projects::{
    DELETE_EVENT_FILES_OF_PROJECT, DELETE_PROJECT, KEEP_ID_TAKEN,
    LIST_TOKENS_OF_SERVICES_OF_PROJECT, MEMBERS_OF_PROJECT, OF_PROJECT,
};
use crate::stored::project_row_id;
use crate::{DeletedProjectStore, ProjectDeletion, StorageError};

#[async_trait]
impl DeletedProjectStore for SqliteStore {
    async fn delete_project(
        &self,
        deletion: ProjectDeletion,
    ) -> Result<Option<Vec<String>>, StorageError> {
        let live = Arc::clone(&self.live);
        let files =
            self.change_tokens(deletion.at(), move |database| delete(database, &deletion)).await;
        live.have_changed();
        files
    }
}

fn delete(
    database: &Connection,
    deletion: &ProjectDeletion,
) -> Result<(Option<Vec<String>>, Change), StorageError> {
    if !deletion.fits(projects::find(database, deletion.project_id)?.as_ref()) {
        return Ok((None, Change::Nothing));
    }
    let (id, act) = (project_row_id(deletion.project_id), deletion.entry.act);
    let tokens =
        query(database, LIST_TOKENS_OF_SERVICES_OF_PROJECT, [id], |row| EndedToken::from_row(row))?;
    for token in tokens {
        audit::add(database, &token.entry(act))?;
    }
    for statement in OF_PROJECT.into_iter().chain(MEMBERS_OF_PROJECT) {
        execute(database, statement, [id])?;
    }
    let files = query(database, DELETE_EVENT_FILES_OF_PROJECT, [id], |row| Ok(row.get(0)?))?;
    execute(database, DELETE_PROJECT, [id])?;
    execute(database, KEEP_ID_TAKEN, params![id, deletion.at().as_milliseconds()])?;
    audit::add(database, &deletion.entry)?;
    Ok((Some(files), Change::Ended(Invalidation::Everything)))
}
