//! The end of projects.

use async_trait::async_trait;
use deadpool_postgres::{Object, Transaction};

use super::query::{
    begin, commit, execute, execute_unhurried, query, query_one, query_opt, run, take_your_time,
};
use super::statements::deleted_projects::HOLD_PROJECT;
use super::statements::revisions::{LOCK_PROJECT, TELL_PUBLICATION};
use super::statements::roles::LOCK_ROLES;
use super::{PostgresStore, audit, clients, projects};
use crate::deleted_projects::EndedToken;
use crate::invalidation::Change;
use crate::statements::deleted_projects::{
    DELETE_EVENT_FILES_OF_PROJECT, DELETE_PROJECT, KEEP_ID_TAKEN,
    LIST_TOKENS_OF_SERVICES_OF_PROJECT, MEMBERS_OF_PROJECT, OF_PROJECT,
};
use crate::stored::project_row_id;
use crate::{DeletedProjectStore, ProjectDeletion, StorageError};

#[async_trait]
impl DeletedProjectStore for PostgresStore {
    async fn delete_project(
        &self,
        deletion: ProjectDeletion,
    ) -> Result<Option<Vec<String>>, StorageError> {
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let deleted = delete(&mut connection.database, &deletion).await;
        // Also when the commit failed to answer: it may have happened.
        self.live.have_changed();
        Ok(self.answer(epoch, deleted?))
    }
}

/// Publications take turns with this, and so do changes of roles.
async fn delete(
    database: &mut Object,
    deletion: &ProjectDeletion,
) -> Result<(Option<Vec<String>>, Change), StorageError> {
    let transaction = begin(database).await?;
    let id = project_row_id(deletion.project_id);
    query_one(&transaction, LOCK_PROJECT, &[&id]).await?;
    query_opt(&transaction, HOLD_PROJECT, &[&id]).await?;
    if !deletion.fits(projects::find(&transaction, deletion.project_id).await?.as_ref()) {
        return Ok((None, Change::Nothing));
    }
    let files = delete_rows(&transaction, deletion).await?;
    audit::add(&transaction, &deletion.entry).await?;
    query_one(&transaction, TELL_PUBLICATION, &[]).await?;
    let change = clients::tell(&transaction).await?;
    commit(transaction).await?;
    Ok((Some(files), change))
}

/// Returns the names of the project's files of events.
async fn delete_rows(
    transaction: &Transaction<'_>,
    deletion: &ProjectDeletion,
) -> Result<Vec<String>, StorageError> {
    let id = project_row_id(deletion.project_id);
    take_your_time(transaction).await?;
    for statement in OF_PROJECT {
        execute_unhurried(transaction, statement, &[&id]).await?;
    }
    // Not before: what members wrote and what was collected may take long, and no member's roles can change meanwhile.
    run(transaction, LOCK_ROLES).await?;
    for row in query(transaction, LIST_TOKENS_OF_SERVICES_OF_PROJECT, &[&id]).await? {
        let entry = EndedToken::from_row(&row)?.entry(deletion.entry.act);
        audit::add(transaction, &entry).await?;
    }
    for statement in MEMBERS_OF_PROJECT {
        execute_unhurried(transaction, statement, &[&id]).await?;
    }
    let files = query(transaction, DELETE_EVENT_FILES_OF_PROJECT, &[&id]).await?;
    execute_unhurried(transaction, DELETE_PROJECT, &[&id]).await?;
    let values = [&id as _, &deletion.at().as_milliseconds() as _];
    execute(transaction, KEEP_ID_TAKEN, &values).await?;
    files.iter().map(|row| Ok(row.try_get(0)?)).collect()
}
