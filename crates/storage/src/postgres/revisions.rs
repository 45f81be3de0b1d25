//! Projects and their revisions.

use deadpool_postgres::{GenericClient, Object};
use domain::ProjectId;
use oauth::Timestamp;
use tokio_postgres::Row;

use super::query::{execute, query, query_one, query_opt, storable};
use super::statements::LOCK_PROJECT;
use crate::statements::{
    ADD_REVISION, FIND_REVISION, LIST_PROJECTS, LIVE_REVISION, NEXT_REVISION_NUMBER, PUT_PROJECT,
};
use crate::stored::{project_id, project_row_id, revision_number};
use crate::{NewRevision, Page, ProjectSummary, Revision, StorageError};

pub(super) async fn publish(
    database: &mut Object,
    new: NewRevision,
) -> Result<Revision, StorageError> {
    let id = project_row_id(new.project_id);
    let transaction = database.transaction().await?;
    query_one(&transaction, LOCK_PROJECT, &[&id]).await?;
    let live = live(&transaction, new.project_id).await?;
    if let Some(live) = live.filter(|live| new.is_same_as(live)) {
        return Ok(live);
    }
    let number: i64 = query_one(&transaction, NEXT_REVISION_NUMBER, &[&id]).await?.try_get(0)?;
    // The project first: a revision belongs to one.
    let project = [&id as _, &new.project_key as _, &new.project_name as _, &number as _];
    execute(&transaction, PUT_PROJECT, &project).await?;
    let values = [
        &id as _,
        &number as _,
        &new.document as _,
        &new.snippet_hash as _,
        &new.javascript as _,
        &new.brotli as _,
        &new.gzip as _,
        &new.author as _,
        &new.message as _,
        &new.created_at.as_milliseconds() as _,
    ];
    execute(&transaction, ADD_REVISION, &values).await?;
    transaction.commit().await?;
    Ok(new.numbered(revision_number(number)?))
}

pub(super) async fn live(
    database: &impl GenericClient,
    project: ProjectId,
) -> Result<Option<Revision>, StorageError> {
    let found = query_opt(database, LIVE_REVISION, &[&project_row_id(project)]).await?;
    found.map(|row| revision(project, &row)).transpose()
}

pub(super) async fn find(
    database: &impl GenericClient,
    project: ProjectId,
    snippet_hash: &str,
) -> Result<Option<Revision>, StorageError> {
    let Some(snippet_hash) = storable(snippet_hash) else { return Ok(None) };
    let values = [&project_row_id(project) as _, &snippet_hash as _];
    let found = query_opt(database, FIND_REVISION, &values).await?;
    found.map(|row| revision(project, &row)).transpose()
}

fn revision(project_id: ProjectId, row: &Row) -> Result<Revision, StorageError> {
    Ok(Revision {
        project_id,
        number: revision_number(row.try_get(0)?)?,
        document: row.try_get(1)?,
        snippet_hash: row.try_get(2)?,
        javascript: row.try_get(3)?,
        brotli: row.try_get(4)?,
        gzip: row.try_get(5)?,
        author: row.try_get(6)?,
        message: row.try_get(7)?,
        created_at: Timestamp::from_milliseconds(row.try_get(8)?),
    })
}

pub(super) async fn list_projects(
    database: &impl GenericClient,
    page: Page,
) -> Result<Vec<ProjectSummary>, StorageError> {
    let values = [&i64::from(page.per_page) as _, &page.skipped() as _];
    let rows = query(database, LIST_PROJECTS, &values).await?;
    rows.iter()
        .map(|row| {
            Ok(ProjectSummary {
                id: project_id(row.try_get(0)?)?,
                key: row.try_get(1)?,
                name: row.try_get(2)?,
                revision: revision_number(row.try_get(3)?)?,
                published_at: Timestamp::from_milliseconds(row.try_get(4)?),
            })
        })
        .collect()
}
