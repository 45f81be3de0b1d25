//! Projects and their drafts.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use domain::ProjectId;
use tokio_postgres::Row;

use super::query::{begin, begin_snapshot, commit, execute, query, query_one, query_opt, storable};
use super::statements::projects::LOCK_KEYS;
use super::{PostgresStore, audit, resource_changes, revisions};
use crate::projects::{FIRST_DRAFT_VERSION, HeadRow, ProjectStore};
use crate::resource_changes::StampRow;
use crate::statements::projects::{
    ADD_PROJECT, CHANGE_DRAFT, DRAFT_BYTES, FIND_DRAFT, FIND_PROJECT, FIND_PROJECT_BY_KEY, HAS_KEY,
    IS_KEY_TAKEN, LIST_PROJECTS,
};
use crate::stored::{project_id, project_row_id};
use crate::{
    ChangeDraft, DraftDocument, ManagedBy, NewProject, Page, ProjectHead, ProjectSummary,
    Publication, PublishOutcome, ResourceStamp, Revision, RevisionLine, SnippetEncoding,
    SnippetLengths, StorageError, StoredDraft, WhichProjects,
};

#[async_trait]
impl ProjectStore for PostgresStore {
    async fn add_project(&self, project: NewProject) -> Result<(), StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        if !add(&transaction, project.id, &project.draft, ManagedBy::Store).await? {
            return Err(StorageError::Conflict);
        }
        audit::add(&transaction, &project.entry).await?;
        commit(transaction).await
    }

    async fn list_projects(
        &self,
        which: WhichProjects,
        page: Page,
    ) -> Result<Vec<ProjectSummary>, StorageError> {
        let connection = self.connections.get().await?;
        list(&connection.database, which, page).await
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
        let Some((head, document)) = find_draft(&snapshot, project).await? else {
            return Ok(None);
        };
        let stamps = resource_changes::list_stamps(&snapshot, project).await?;
        commit(snapshot).await?;
        Ok(Some(StoredDraft { head, document, stamps }))
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

    async fn publish_revision(
        &self,
        publication: Publication,
    ) -> Result<PublishOutcome, StorageError> {
        let mut connection = self.connections.get().await?;
        let published = revisions::publish(&mut connection.database, publication).await;
        // Also when nobody knows what has become of it.
        self.live.have_changed();
        published
    }

    async fn live_revision(&self, project: ProjectId) -> Result<Option<Revision>, StorageError> {
        let connection = self.connections.get().await?;
        revisions::live(&connection.database, project).await
    }

    async fn lookup_revision(
        &self,
        project: ProjectId,
        number: u32,
    ) -> Result<Option<Revision>, StorageError> {
        let connection = self.connections.get().await?;
        revisions::lookup(&connection.database, project, number).await
    }

    async fn lookup_revision_document(
        &self,
        project: ProjectId,
        number: u32,
    ) -> Result<Option<String>, StorageError> {
        let connection = self.connections.get().await?;
        revisions::document(&connection.database, project, number).await
    }

    async fn lookup_revision_line(
        &self,
        project: ProjectId,
        number: u32,
    ) -> Result<Option<RevisionLine>, StorageError> {
        let connection = self.connections.get().await?;
        revisions::lookup_line(&connection.database, project, number).await
    }

    async fn find_snippet(
        &self,
        project: ProjectId,
        snippet_hash: &str,
    ) -> Result<Option<SnippetLengths>, StorageError> {
        let connection = self.connections.get().await?;
        revisions::find_snippet(&connection.database, project, snippet_hash).await
    }

    async fn read_snippet(
        &self,
        project: ProjectId,
        snippet_hash: &str,
        encoding: SnippetEncoding,
    ) -> Result<Option<Vec<u8>>, StorageError> {
        let connection = self.connections.get().await?;
        revisions::read_snippet(&connection.database, project, snippet_hash, encoding).await
    }

    async fn list_revisions(
        &self,
        project: ProjectId,
        page: Page,
    ) -> Result<Vec<RevisionLine>, StorageError> {
        let connection = self.connections.get().await?;
        revisions::list(&connection.database, project, page).await
    }
}

/// Adds a project without a revision; tells whether there was none with its id.
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

/// Puts a draft in the place of the one with this version, if that is still there; the new version.
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

/// Two projects that had one key before may keep it. Those who take a key take turns: nobody sees what another has not committed.
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
    found.map(|row| head(&row)?.try_into()).transpose()
}

/// Where a project stands, and the document of its draft.
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
    Ok(find_draft(database, project).await?.is_some_and(|(_, now)| now == document))
}

pub(super) async fn find_draft(
    database: &impl GenericClient,
    project: ProjectId,
) -> Result<Option<(ProjectHead, String)>, StorageError> {
    let found = query_opt(database, FIND_DRAFT, &[&project_row_id(project)]).await?;
    let Some(row) = found else { return Ok(None) };
    Ok(Some((head(&row)?.try_into()?, row.try_get(3)?)))
}

async fn list(
    database: &impl GenericClient,
    which: WhichProjects,
    page: Page,
) -> Result<Vec<ProjectSummary>, StorageError> {
    let [lowest, highest] = which.is_archived();
    let values =
        [&lowest as _, &highest as _, &i64::from(page.per_page) as _, &page.skipped() as _];
    let rows = query(database, LIST_PROJECTS, &values).await?;
    rows.iter().map(summary).collect()
}

pub(super) fn summary(row: &Row) -> Result<ProjectSummary, StorageError> {
    Ok(ProjectSummary {
        head: head(row)?.try_into()?,
        id: project_id(row.try_get(3)?)?,
        key: row.try_get(4)?,
        name: row.try_get(5)?,
        is_archived: row.try_get::<_, i64>(6)? != 0,
        stamp: stamp(row)?,
    })
}

/// The last three columns.
fn stamp(row: &Row) -> Result<Option<ResourceStamp>, StorageError> {
    let (created_at, updated_at): (_, Option<i64>) = (row.try_get(7)?, row.try_get(8)?);
    let Some(updated_at) = updated_at else { return Ok(None) };
    let (live_updated_at, live_updated_by) = (None, None);
    let updated_by = row.try_get(9)?;
    Ok(Some(
        StampRow { created_at, updated_at, updated_by, live_updated_at, live_updated_by }.into(),
    ))
}

/// The first three columns.
fn head(row: &Row) -> Result<HeadRow, StorageError> {
    Ok(HeadRow {
        draft_version: row.try_get(0)?,
        live_revision: row.try_get(1)?,
        managed_by: row.try_get(2)?,
    })
}
