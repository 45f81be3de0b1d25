//! The revisions of projects.

use std::sync::Arc;

use async_trait::async_trait;
use domain::ProjectId;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::query::{query, query_opt};
use super::{SqliteStore, audit, projects, resource_changes, schedules, webhooks};
use crate::row::Row as _;
use crate::statements::revisions::{
    ADD_REVISION, FIND_SNIPPET, GO_LIVE, IS_SNIPPET_LIVE, LIST_REVISIONS, LIVE_REVISION,
    LOOKUP_REVISION, LOOKUP_REVISION_DOCUMENT, LOOKUP_REVISION_LINE, NEXT_REVISION_NUMBER,
};
use crate::stored::project_row_id;
use crate::{
    DraftUpdate, ListRange, ManagedBy, NewRevision, ProjectHead, Publication, PublishOutcome,
    Revision, RevisionLine, RevisionStore, SnippetEncoding, SnippetLengths, StorageError,
};

#[async_trait]
impl RevisionStore for SqliteStore {
    async fn publish_revision(
        &self,
        publication: Publication,
    ) -> Result<PublishOutcome, StorageError> {
        let (now, live) = (publication.revision.created_at, Arc::clone(&self.live));
        let publish = move |database: &Connection| publish(database, publication);
        self.writer.write_then(Some(now), publish, move |_| live.have_changed()).await
    }

    async fn live_revision(&self, project: ProjectId) -> Result<Option<Revision>, StorageError> {
        self.readers.read(move |database| live(database, project)).await
    }

    async fn lookup_revision(
        &self,
        project: ProjectId,
        number: u32,
    ) -> Result<Option<Revision>, StorageError> {
        self.readers.read(move |database| lookup(database, project, number)).await
    }

    async fn lookup_revision_document(
        &self,
        project: ProjectId,
        number: u32,
    ) -> Result<Option<String>, StorageError> {
        self.readers.read(move |database| document(database, project, number)).await
    }

    async fn lookup_revision_line(
        &self,
        project: ProjectId,
        number: u32,
    ) -> Result<Option<RevisionLine>, StorageError> {
        self.readers.read(move |database| lookup_line(database, project, number)).await
    }

    async fn find_snippet(
        &self,
        project: ProjectId,
        snippet_hash: &str,
    ) -> Result<Option<SnippetLengths>, StorageError> {
        let hash = snippet_hash.to_owned();
        self.readers.read(move |database| snippet_lengths(database, project, &hash)).await
    }

    async fn read_snippet(
        &self,
        project: ProjectId,
        snippet_hash: &str,
        encoding: SnippetEncoding,
    ) -> Result<Option<Vec<u8>>, StorageError> {
        let hash = snippet_hash.to_owned();
        let read = move |database: &Connection| snippet(database, project, &hash, encoding);
        self.readers.read(read).await
    }

    async fn list_revisions(
        &self,
        project: ProjectId,
        page: ListRange,
    ) -> Result<Vec<RevisionLine>, StorageError> {
        self.readers.read(move |database| list(database, project, page)).await
    }
}

pub(super) fn publish(
    database: &Connection,
    publication: Publication,
) -> Result<PublishOutcome, StorageError> {
    let Publication { revision, precondition, settled, draft, managed_by, .. } = publication;
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
        audit::add(database, &publication.entry.of_revision(revision.number))?;
        for announcement in publication.announcements {
            webhooks::announce(database, id, &announcement.of_revision(revision.number))?;
        }
    }
    if let PublishOutcome::Published(revision) | PublishOutcome::Unchanged(revision) = &outcome {
        let values = params![revision.number, managed_by.as_str(), project_row_id(id)];
        database.prepare_cached(GO_LIVE)?.execute(values)?;
    }
    Ok(outcome)
}

/// Does with the draft what a publication wants; returns whether that was possible.
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
    let values = [project_row_id(project)];
    query_opt(database, LIVE_REVISION, values, |row| Revision::from_row(project, row))
}

/// Whether this is the snippet of the live revision.
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
    let values = params![project_row_id(project), number];
    query_opt(database, LOOKUP_REVISION, values, |row| Revision::from_row(project, row))
}

pub(super) fn document(
    database: &Connection,
    project: ProjectId,
    number: u32,
) -> Result<Option<String>, StorageError> {
    let values = params![project_row_id(project), number];
    query_opt(database, LOOKUP_REVISION_DOCUMENT, values, |row| row.column(0))
}

pub(super) fn lookup_line(
    database: &Connection,
    project: ProjectId,
    number: u32,
) -> Result<Option<RevisionLine>, StorageError> {
    let values = params![project_row_id(project), number];
    query_opt(database, LOOKUP_REVISION_LINE, values, |row| RevisionLine::from_row(row))
}

pub(super) fn snippet_lengths(
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

pub(super) fn snippet(
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
    page: ListRange,
) -> Result<Vec<RevisionLine>, StorageError> {
    let values = params![project_row_id(project), page.per_page, page.skipped()];
    query(database, LIST_REVISIONS, values, |row| RevisionLine::from_row(row))
}
