//! The revisions of projects.

use domain::ProjectId;
use oauth::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{audit, projects, resource_changes, schedules};
use crate::statements::revisions::{
    ADD_REVISION, FIND_SNIPPET, GO_LIVE, IS_SNIPPET_LIVE, LIST_REVISIONS, LIVE_REVISION,
    LOOKUP_REVISION, LOOKUP_REVISION_DOCUMENT, LOOKUP_REVISION_LINE, NEXT_REVISION_NUMBER,
};
use crate::stored::project_row_id;
use crate::{
    DraftUpdate, ManagedBy, NewRevision, Page, ProjectHead, Publication, PublishOutcome, Revision,
    RevisionLine, SnippetEncoding, SnippetLengths, StorageError,
};

pub(super) fn publish(
    database: &Connection,
    publication: Publication,
) -> Result<PublishOutcome, StorageError> {
    let Publication { revision, precondition, settled, draft, managed_by, entry } = publication;
    let id = revision.project_id;
    let head = projects::find(database, id)?;
    if let Some(outcome) = head.as_ref().and_then(|head| precondition.check(head)) {
        return Ok(outcome);
    }
    let Some(changes) = schedules::changes(database, &revision, &settled)? else {
        return Ok(PublishOutcome::LiveChanged);
    };
    if !update_draft(database, id, head, &draft, managed_by)? {
        return Ok(PublishOutcome::DraftChanged);
    }
    if revision.restored_from.is_some() {
        resource_changes::forget_live(database, id)?;
    }
    schedules::apply(database, changes, revision.created_at)?;
    let live = if is_snippet_live(database, id, &revision.snippet_hash)? {
        live(database, id)?.filter(|live| revision.is_same_as(live))
    } else {
        None
    };
    let outcome = match live {
        Some(live) => PublishOutcome::Unchanged(Box::new(live)),
        None => PublishOutcome::Published(Box::new(add(database, revision)?)),
    };
    if let PublishOutcome::Published(revision) = &outcome {
        audit::add(database, &entry.of_revision(revision.number))?;
    }
    if let PublishOutcome::Published(revision) | PublishOutcome::Unchanged(revision) = &outcome {
        let values = params![revision.number, managed_by.as_str(), project_row_id(id)];
        database.prepare_cached(GO_LIVE)?.execute(values)?;
    }
    Ok(outcome)
}

/// Does with the draft what a publication wants; tells whether that was possible.
fn update_draft(
    database: &Connection,
    id: ProjectId,
    head: Option<ProjectHead>,
    update: &DraftUpdate,
    managed_by: ManagedBy,
) -> Result<bool, StorageError> {
    match (head, update) {
        (None, DraftUpdate::Keep) => Ok(false),
        (Some(_), DraftUpdate::Keep) => Ok(true),
        (None, DraftUpdate::Replace(draft)) => projects::add(database, id, draft, managed_by),
        (Some(head), DraftUpdate::Replace(draft)) => {
            if projects::is_draft(database, id, &draft.document)? {
                return Ok(true);
            }
            let version = head.draft_version;
            Ok(projects::replace_draft(database, id, version, draft)?.is_some())
        }
    }
}

fn add(database: &Connection, new: NewRevision) -> Result<Revision, StorageError> {
    let id = project_row_id(new.project_id);
    let number: u32 =
        database.prepare_cached(NEXT_REVISION_NUMBER)?.query_row([id], |row| row.get(0))?;
    database.prepare_cached(ADD_REVISION)?.execute(params![
        id,
        number,
        new.document,
        new.document_hash,
        new.snippet_hash,
        new.javascript,
        new.brotli,
        new.gzip,
        new.author,
        new.message,
        new.restored_from,
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

/// Whether this is the snippet of what is live.
fn is_snippet_live(
    database: &Connection,
    project: ProjectId,
    snippet_hash: &str,
) -> Result<bool, StorageError> {
    let mut statement = database.prepare_cached(IS_SNIPPET_LIVE)?;
    Ok(statement.exists(params![project_row_id(project), snippet_hash])?)
}

pub(super) fn lookup(
    database: &Connection,
    project: ProjectId,
    number: u32,
) -> Result<Option<Revision>, StorageError> {
    let mut statement = database.prepare_cached(LOOKUP_REVISION)?;
    let values = params![project_row_id(project), number];
    Ok(statement.query_row(values, |row| revision(project, row)).optional()?)
}

pub(super) fn document(
    database: &Connection,
    project: ProjectId,
    number: u32,
) -> Result<Option<String>, StorageError> {
    let mut statement = database.prepare_cached(LOOKUP_REVISION_DOCUMENT)?;
    let values = params![project_row_id(project), number];
    Ok(statement.query_row(values, |row| row.get(0)).optional()?)
}

pub(super) fn lookup_line(
    database: &Connection,
    project: ProjectId,
    number: u32,
) -> Result<Option<RevisionLine>, StorageError> {
    let mut statement = database.prepare_cached(LOOKUP_REVISION_LINE)?;
    Ok(statement.query_row(params![project_row_id(project), number], line).optional()?)
}

pub(super) fn find_snippet(
    database: &Connection,
    project: ProjectId,
    snippet_hash: &str,
) -> Result<Option<SnippetLengths>, StorageError> {
    let mut statement = database.prepare_cached(FIND_SNIPPET)?;
    let found = statement.query_row(params![project_row_id(project), snippet_hash], |row| {
        let length = |column| row.get::<usize, u32>(column);
        Ok(SnippetLengths { identity: length(0)?, brotli: length(1)?, gzip: length(2)? })
    });
    Ok(found.optional()?)
}

pub(super) fn read_snippet(
    database: &Connection,
    project: ProjectId,
    snippet_hash: &str,
    encoding: SnippetEncoding,
) -> Result<Option<Vec<u8>>, StorageError> {
    let mut statement = database.prepare_cached(encoding.statement())?;
    let read = statement.query_row(params![project_row_id(project), snippet_hash], |row| {
        // The script as it is is a text, and the others are bytes.
        Ok(row.get_ref(0)?.as_bytes()?.to_vec())
    });
    Ok(read.optional()?)
}

pub(super) fn list(
    database: &Connection,
    project: ProjectId,
    page: Page,
) -> Result<Vec<RevisionLine>, StorageError> {
    let mut statement = database.prepare_cached(LIST_REVISIONS)?;
    let values = params![project_row_id(project), page.per_page, page.skipped()];
    let rows = statement.query_map(values, line)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn line(row: &Row<'_>) -> rusqlite::Result<RevisionLine> {
    Ok(RevisionLine {
        number: row.get(0)?,
        document_hash: row.get(1)?,
        snippet_hash: row.get(2)?,
        brotli_bytes: row.get(3)?,
        author: row.get(4)?,
        message: row.get(5)?,
        restored_from: row.get(6)?,
        created_at: Timestamp::from_milliseconds(row.get(7)?),
    })
}

fn revision(project_id: ProjectId, row: &Row<'_>) -> rusqlite::Result<Revision> {
    Ok(Revision {
        project_id,
        number: row.get(0)?,
        document: row.get(1)?,
        document_hash: row.get(2)?,
        snippet_hash: row.get(3)?,
        javascript: row.get(4)?,
        brotli: row.get(5)?,
        gzip: row.get(6)?,
        author: row.get(7)?,
        message: row.get(8)?,
        restored_from: row.get(9)?,
        created_at: Timestamp::from_milliseconds(row.get(10)?),
    })
}
