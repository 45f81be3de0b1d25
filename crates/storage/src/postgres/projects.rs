//! Projects and their drafts.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use domain::ProjectId;

use super::query::{begin, begin_snapshot, commit, execute, query, query_one, query_opt, storable};
use super::statements::projects::LOCK_KEYS;
use super::statements::revisions::LOCK_PROJECT;
use super::{PostgresStore, audit, resource_changes};
use crate::projects::FIRST_DRAFT_VERSION;
use crate::statements::projects::{
    ADD_PROJECT, CHANGE_DRAFT, DRAFT_BYTES, FIND_DRAFT, FIND_PROJECT, FIND_PROJECT_BY_KEY, HAS_KEY,
    IS_KEY_TAKEN, LIST_PROJECTS,
};
use crate::statements::roles::HAS_PROJECT;
use crate::stored::{project_id, project_row_id};
use crate::{
    ChangeDraft, DraftDocument, ListRange, ManagedBy, NewProject, ProjectHead, ProjectStore,
    ProjectSummary, StorageError, StoredDraft, WhichProjects,
};

#[async_trait]
impl ProjectStore for PostgresStore {
    async fn add_project(&self, project: NewProject) -> Result<(), StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        query_one(&transaction, LOCK_PROJECT, &[&project_row_id(project.id)]).await?;
        if !add(&transaction, project.id, &project.draft, ManagedBy::Store).await? {
            return Err(StorageError::Conflict);
        }
        audit::add(&transaction, &project.entry).await?;
        commit(transaction).await
    }

    async fn list_projects(
        &self,
        which: WhichProjects,
        page: ListRange,
    ) -> Result<Vec<ProjectSummary>, StorageError> {
        let connection = self.connections.get().await?;
        let [lowest, highest] = which.is_archived();
        let values =
            [&lowest as _, &highest as _, &i64::from(page.per_page) as _, &page.skipped() as _];
        let rows = query(&connection.database, LIST_PROJECTS, &values).await?;
        rows.iter().map(ProjectSummary::from_row).collect()
    }

    async fn find_project(&self, project: ProjectId) -> Result<Option<ProjectHead>, StorageError> {
        let connection = self.connections.get().await?;
        find(&connection.database, project).await
    }

    async fn find_project_by_key(&self, key: &str) -> Result<Option<ProjectId>, StorageError> {
        let Some(key) = storable(key) else { return Ok(None) };
        let connection = self.connections.get().await?;
        let found = query_opt(&connection.database, FIND_PROJECT_BY_KEY, &[&key]).await?;
        found.map(|row| project_id(row.try_get(0)?)).transpose()
    }

    async fn find_draft(&self, project: ProjectId) -> Result<Option<StoredDraft>, StorageError> {
        let mut connection = self.connections.get().await?;
        // The draft and its stamps as they are at one moment.
        let snapshot = begin_snapshot(&mut connection.database).await?;
        let Some(draft) = find_draft(&snapshot, project).await? else { return Ok(None) };
        let stamps = resource_changes::list_stamps(&snapshot, project).await?;
        commit(snapshot).await?;
        Ok(Some(StoredDraft { stamps, ..draft }))
    }

    async fn change_draft(&self, change: ChangeDraft) -> Result<Option<i64>, StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        let ChangeDraft { project_id, version, draft, entry } = change;
        let version = replace_draft(&transaction, project_id, version, &draft).await?;
        if version.is_some() {
            audit::add(&transaction, &entry).await?;
        }
        commit(transaction).await?;
        Ok(version)
    }
}

/// Adds a project without a revision; returns whether there was none with its id.
pub(super) async fn add(
    database: &impl GenericClient,
    id: ProjectId,
    draft: &DraftDocument,
    managed_by: ManagedBy,
) -> Result<bool, StorageError> {
    refuse_taken_key(database, id, &draft.key).await?;
    let DraftDocument { key, name, is_archived, document, changes } = draft;
    let (row_id, is_archived, managed_by) =
        (project_row_id(id), i64::from(*is_archived), managed_by.as_str());
    let values =
        [&row_id as _, key as _, name as _, &is_archived as _, document as _, &managed_by as _];
    let is_added = execute(database, ADD_PROJECT, &values).await? > 0;
    if is_added {
        resource_changes::add(database, id, FIRST_DRAFT_VERSION, changes).await?;
    }
    Ok(is_added)
}

/// Replaces the draft with this version, if it is still there; returns the new version.
pub(super) async fn replace_draft(
    database: &impl GenericClient,
    id: ProjectId,
    version: i64,
    draft: &DraftDocument,
) -> Result<Option<i64>, StorageError> {
    refuse_taken_key(database, id, &draft.key).await?;
    let DraftDocument { key, name, is_archived, document, changes } = draft;
    let (row_id, is_archived) = (project_row_id(id), i64::from(*is_archived));
    let values =
        [key as _, name as _, &is_archived as _, document as _, &row_id as _, &version as _];
    let changed = query_opt(database, CHANGE_DRAFT, &values).await?;
    let version = changed.map(|row| row.try_get(0)).transpose()?;
    if let Some(version) = version {
        resource_changes::add(database, id, version, changes).await?;
    }
    Ok(version)
}

/// Until the transaction ends, nothing deletes the project. To be called first in it, as by a deletion.
pub(super) async fn hold(
    transaction: &impl GenericClient,
    project: ProjectId,
) -> Result<(), StorageError> {
    query_one(transaction, LOCK_PROJECT, &[&project_row_id(project)]).await?;
    check(transaction, project).await
}

/// [`StorageError::NoSuchProject`] if it is not there, or not any more.
pub(super) async fn check(
    transaction: &impl GenericClient,
    project: ProjectId,
) -> Result<(), StorageError> {
    let found = query_opt(transaction, HAS_PROJECT, &[&project_row_id(project)]).await?;
    found.map(drop).ok_or(StorageError::NoSuchProject)
}

/// Two projects that had one key before may keep it. Transactions that take a key take turns: none sees what another has not committed.
async fn refuse_taken_key(
    database: &impl GenericClient,
    id: ProjectId,
    key: &str,
) -> Result<(), StorageError> {
    let id = project_row_id(id);
    if query_opt(database, HAS_KEY, &[&id, &key]).await?.is_some() {
        return Ok(());
    }
    query_one(database, LOCK_KEYS, &[]).await?;
    let taken = query_opt(database, IS_KEY_TAKEN, &[&key, &id]).await?;
    if taken.is_some() { Err(StorageError::KeyTaken) } else { Ok(()) }
}

pub(super) async fn find(
    database: &impl GenericClient,
    project: ProjectId,
) -> Result<Option<ProjectHead>, StorageError> {
    let found = query_opt(database, FIND_PROJECT, &[&project_row_id(project)]).await?;
    let head = found.map(|row| ProjectHead::from_row(&row)).transpose();
    head.map_err(|error| error.in_row("project", project))
}

/// Whether a project's draft is this text. Most differ in length already, and a large one takes long to read.
pub(super) async fn is_draft(
    database: &impl GenericClient,
    project: ProjectId,
    document: &str,
) -> Result<bool, StorageError> {
    let Some(row) = query_opt(database, DRAFT_BYTES, &[&project_row_id(project)]).await? else {
        return Ok(false);
    };
    if row.try_get::<_, Option<i32>>(0)? != i32::try_from(document.len()).ok() {
        return Ok(false);
    }
    Ok(find_draft(database, project).await?.is_some_and(|now| now.document == document))
}

/// The draft of a project without its stamps.
async fn find_draft(
    database: &impl GenericClient,
    project: ProjectId,
) -> Result<Option<StoredDraft>, StorageError> {
    let found = query_opt(database, FIND_DRAFT, &[&project_row_id(project)]).await?;
    let draft = found.map(|row| StoredDraft::from_row(&row)).transpose();
    draft.map_err(|error| error.in_row("project", project))
}
