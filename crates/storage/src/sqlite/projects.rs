//! Projects and their drafts.

use async_trait::async_trait;
use domain::ProjectId;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::query::{query, query_opt};
use super::{SqliteStore, audit, resource_changes};
use crate::projects::FIRST_DRAFT_VERSION;
use crate::row::Row as _;
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
impl ProjectStore for SqliteStore {
    async fn add_project(&self, project: NewProject) -> Result<(), StorageError> {
        let add_project = move |database: &Connection| {
            if !add(database, project.id, &project.draft, ManagedBy::Store)? {
                return Err(StorageError::Conflict);
            }
            audit::add(database, &project.entry)
        };
        self.writer.write(None, add_project).await
    }

    async fn list_projects(
        &self,
        which: WhichProjects,
        page: ListRange,
    ) -> Result<Vec<ProjectSummary>, StorageError> {
        self.readers.read(move |database| list(database, which, page)).await
    }

    async fn find_project(&self, project: ProjectId) -> Result<Option<ProjectHead>, StorageError> {
        self.readers.read(move |database| find(database, project)).await
    }

    async fn find_project_by_key(&self, key: &str) -> Result<Option<ProjectId>, StorageError> {
        let key = key.to_owned();
        self.readers.read(move |database| find_by_key(database, &key)).await
    }

    async fn find_draft(&self, project: ProjectId) -> Result<Option<StoredDraft>, StorageError> {
        let find_draft = move |database: &Connection| {
            // The draft and its stamps as they are at one moment.
            let snapshot = database.unchecked_transaction()?;
            let Some(draft) = find_draft(&snapshot, project)? else { return Ok(None) };
            let stamps = resource_changes::list_stamps(&snapshot, project)?;
            Ok(Some(StoredDraft { stamps, ..draft }))
        };
        self.readers.read(find_draft).await
    }

    async fn change_draft(&self, change: ChangeDraft) -> Result<Option<i64>, StorageError> {
        let change_draft = move |database: &Connection| {
            let version =
                replace_draft(database, change.project_id, change.version, &change.draft)?;
            if version.is_some() {
                audit::add(database, &change.entry)?;
            }
            Ok(version)
        };
        self.writer.write(None, change_draft).await
    }
}

/// Adds a project without a revision; returns whether there was none with its id.
pub(super) fn add(
    database: &Connection,
    id: ProjectId,
    draft: &DraftDocument,
    managed_by: ManagedBy,
) -> Result<bool, StorageError> {
    refuse_taken_key(database, id, &draft.key)?;
    let DraftDocument { key, name, is_archived, document, changes } = draft;
    let managed_by = managed_by.as_str();
    let values =
        params![project_row_id(id), key, name, i64::from(*is_archived), document, managed_by];
    let is_added = database.prepare_cached(ADD_PROJECT)?.execute(values)? > 0;
    if is_added {
        resource_changes::add(database, id, FIRST_DRAFT_VERSION, changes)?;
    }
    Ok(is_added)
}

/// Replaces the draft with this version, if it is still there; returns the new version.
pub(super) fn replace_draft(
    database: &Connection,
    id: ProjectId,
    version: i64,
    draft: &DraftDocument,
) -> Result<Option<i64>, StorageError> {
    refuse_taken_key(database, id, &draft.key)?;
    let DraftDocument { key, name, is_archived, document, changes } = draft;
    let values = params![key, name, i64::from(*is_archived), document, project_row_id(id), version];
    let changed = database.prepare_cached(CHANGE_DRAFT)?.query_row(values, |row| row.get(0));
    let version = changed.optional()?;
    if let Some(version) = version {
        resource_changes::add(database, id, version, changes)?;
    }
    Ok(version)
}

/// [`StorageError::NoSuchProject`] if it is not there, or not any more. The single writer lets nothing else in before the commit.
pub(super) fn check(database: &Connection, project: ProjectId) -> Result<(), StorageError> {
    let is_there = database.prepare_cached(HAS_PROJECT)?.exists([project_row_id(project)])?;
    is_there.then_some(()).ok_or(StorageError::NoSuchProject)
}

/// Two projects that had one key before may keep it.
fn refuse_taken_key(database: &Connection, id: ProjectId, key: &str) -> Result<(), StorageError> {
    let id = project_row_id(id);
    if database.prepare_cached(HAS_KEY)?.exists(params![id, key])? {
        return Ok(());
    }
    let is_taken = database.prepare_cached(IS_KEY_TAKEN)?.exists(params![key, id])?;
    if is_taken { Err(StorageError::KeyTaken) } else { Ok(()) }
}

fn find_by_key(database: &Connection, key: &str) -> Result<Option<ProjectId>, StorageError> {
    query_opt(database, FIND_PROJECT_BY_KEY, [key], |row| project_id(row.column(0)?))
}

pub(super) fn find(
    database: &Connection,
    project: ProjectId,
) -> Result<Option<ProjectHead>, StorageError> {
    let values = [project_row_id(project)];
    query_opt(database, FIND_PROJECT, values, |row| ProjectHead::from_row(row))
        .map_err(|error| error.in_row("project", project))
}

/// Whether a project's draft is this text. Most differ in length already, and a large one takes long to read.
pub(super) fn is_draft(
    database: &Connection,
    project: ProjectId,
    document: &str,
) -> Result<bool, StorageError> {
    let mut statement = database.prepare_cached(DRAFT_BYTES)?;
    let bytes = statement.query_row([project_row_id(project)], |row| row.get::<_, i64>(0));
    if bytes.optional()? != i64::try_from(document.len()).ok() {
        return Ok(false);
    }
    Ok(find_draft(database, project)?.is_some_and(|now| now.document == document))
}

/// The draft of a project without its stamps.
fn find_draft(
    database: &Connection,
    project: ProjectId,
) -> Result<Option<StoredDraft>, StorageError> {
    let values = [project_row_id(project)];
    query_opt(database, FIND_DRAFT, values, |row| StoredDraft::from_row(row))
        .map_err(|error| error.in_row("project", project))
}

fn list(
    database: &Connection,
    which: WhichProjects,
    page: ListRange,
) -> Result<Vec<ProjectSummary>, StorageError> {
    let [lowest, highest] = which.is_archived();
    let values = params![lowest, highest, page.per_page, page.skipped()];
    query(database, LIST_PROJECTS, values, |row| ProjectSummary::from_row(row))
}
