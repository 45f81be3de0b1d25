//! Projects and their revisions.

use domain::ProjectId;
use oauth::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::statements::{
    ADD_REVISION, FIND_REVISION, LIST_PROJECTS, LIVE_REVISION, NEXT_REVISION_NUMBER, PUT_PROJECT,
};
use crate::stored::{project_id, project_row_id};
use crate::{NewRevision, Page, ProjectSummary, Revision, StorageError};

pub(super) fn publish(database: &Connection, new: NewRevision) -> Result<Revision, StorageError> {
    let live = live(database, new.project_id)?;
    if let Some(live) = live.filter(|live| new.is_same_as(live)) {
        return Ok(live);
    }
    let id = project_row_id(new.project_id);
    let number: u32 =
        database.prepare_cached(NEXT_REVISION_NUMBER)?.query_row([id], |row| row.get(0))?;
    // The project first: a revision belongs to one.
    let project = params![id, new.project_key, new.project_name, number];
    database.prepare_cached(PUT_PROJECT)?.execute(project)?;
    database.prepare_cached(ADD_REVISION)?.execute(params![
        id,
        number,
        new.document,
        new.snippet_hash,
        new.javascript,
        new.brotli,
        new.gzip,
        new.author,
        new.message,
        new.created_at.as_milliseconds(),
    ])?;
    Ok(new.numbered(number))
}

pub(super) fn live(
    database: &Connection,
    project: ProjectId,
) -> Result<Option<Revision>, StorageError> {
    let mut statement = database.prepare_cached(LIVE_REVISION)?;
    let found = statement.query_row([project_row_id(project)], |row| revision(project, row));
    Ok(found.optional()?)
}

pub(super) fn find(
    database: &Connection,
    project: ProjectId,
    snippet_hash: &str,
) -> Result<Option<Revision>, StorageError> {
    let mut statement = database.prepare_cached(FIND_REVISION)?;
    let found = statement
        .query_row(params![project_row_id(project), snippet_hash], |row| revision(project, row));
    Ok(found.optional()?)
}

fn revision(project_id: ProjectId, row: &Row<'_>) -> rusqlite::Result<Revision> {
    Ok(Revision {
        project_id,
        number: row.get(0)?,
        document: row.get(1)?,
        snippet_hash: row.get(2)?,
        javascript: row.get(3)?,
        brotli: row.get(4)?,
        gzip: row.get(5)?,
        author: row.get(6)?,
        message: row.get(7)?,
        created_at: Timestamp::from_milliseconds(row.get(8)?),
    })
}

pub(super) fn list_projects(
    database: &Connection,
    page: Page,
) -> Result<Vec<ProjectSummary>, StorageError> {
    let mut statement = database.prepare_cached(LIST_PROJECTS)?;
    let rows = statement.query_map(params![page.per_page, page.skipped()], |row| {
        let id: i64 = row.get(0)?;
        let published_at = Timestamp::from_milliseconds(row.get(4)?);
        Ok((id, row.get(1)?, row.get(2)?, row.get(3)?, published_at))
    })?;
    rows.map(|row| {
        let (id, key, name, revision, published_at) = row?;
        Ok(ProjectSummary { id: project_id(id)?, key, name, revision, published_at })
    })
    .collect()
}
