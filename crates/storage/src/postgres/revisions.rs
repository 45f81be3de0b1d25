//! The revisions of projects.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Object};
use domain::ProjectId;

use super::query::{begin, commit, execute, query, query_one, query_opt, storable};
use super::statements::revisions::{LOCK_PROJECT, TELL_PUBLICATION};
use super::{PostgresStore, audit, projects, resource_changes, schedules, webhooks};
use crate::statements::revisions::{
    ADD_REVISION, FIND_SNIPPET, GO_LIVE, IS_SNIPPET_LIVE, LIST_REVISIONS, LIVE_REVISION,
    LOOKUP_REVISION, LOOKUP_REVISION_DOCUMENT, LOOKUP_REVISION_LINE, NEXT_REVISION_NUMBER,
};
use crate::stored::{project_row_id, revision_number};
use crate::{
    DraftUpdate, ListRange, ManagedBy, NewRevision, ProjectHead, Publication, PublishOutcome,
    Revision, RevisionLine, RevisionStore, SnippetEncoding, SnippetLengths, StorageError,
};

#[async_trait]
impl RevisionStore for PostgresStore {
    async fn publish_revision(
        &self,
        publication: Publication,
    ) -> Result<PublishOutcome, StorageError> {
        let mut connection = self.connections.get().await?;
        let published = publish(&mut connection.database, publication).await;
        // Also when the commit failed to answer: it may have happened.
        self.live.have_changed();
        published
    }

    async fn live_revision(&self, project: ProjectId) -> Result<Option<Revision>, StorageError> {
        let connection = self.connections.get().await?;
        live(&connection.database, project).await
    }

    async fn lookup_revision(
        &self,
        project: ProjectId,
        number: u32,
    ) -> Result<Option<Revision>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(project) as _, &i64::from(number) as _];
        let found = query_opt(&connection.database, LOOKUP_REVISION, &values).await?;
        found.map(|row| Revision::from_row(project, &row)).transpose()
    }

    async fn lookup_revision_document(
        &self,
        project: ProjectId,
        number: u32,
    ) -> Result<Option<String>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(project) as _, &i64::from(number) as _];
        let found = query_opt(&connection.database, LOOKUP_REVISION_DOCUMENT, &values).await?;
        Ok(found.map(|row| row.try_get(0)).transpose()?)
    }

    async fn lookup_revision_line(
        &self,
        project: ProjectId,
        number: u32,
    ) -> Result<Option<RevisionLine>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(project) as _, &i64::from(number) as _];
        let found = query_opt(&connection.database, LOOKUP_REVISION_LINE, &values).await?;
        found.map(|row| RevisionLine::from_row(&row)).transpose()
    }

    async fn find_snippet(
        &self,
        project: ProjectId,
        snippet_hash: &str,
    ) -> Result<Option<SnippetLengths>, StorageError> {
        let connection = self.connections.get().await?;
        let Some(snippet_hash) = storable(snippet_hash) else { return Ok(None) };
        let values = [&project_row_id(project) as _, &snippet_hash as _];
        let Some(row) = query_opt(&connection.database, FIND_SNIPPET, &values).await? else {
            return Ok(None);
        };
        let length = |column| -> Result<u32, StorageError> {
            Ok(u32::try_from(row.try_get::<_, i32>(column)?).unwrap_or_default())
        };
        Ok(Some(SnippetLengths { identity: length(0)?, brotli: length(1)?, gzip: length(2)? }))
    }

    async fn read_snippet(
        &self,
        project: ProjectId,
        snippet_hash: &str,
        encoding: SnippetEncoding,
    ) -> Result<Option<Vec<u8>>, StorageError> {
        let connection = self.connections.get().await?;
        let Some(snippet_hash) = storable(snippet_hash) else { return Ok(None) };
        let values = [&project_row_id(project) as _, &snippet_hash as _];
        let found = query_opt(&connection.database, encoding.statement(), &values).await?;
        let Some(row) = found else { return Ok(None) };
        Ok(Some(match encoding {
            SnippetEncoding::Brotli | SnippetEncoding::Gzip => row.try_get(0)?,
            SnippetEncoding::Identity => row.try_get::<_, String>(0)?.into_bytes(),
        }))
    }

    async fn list_revisions(
        &self,
        project: ProjectId,
        page: ListRange,
    ) -> Result<Vec<RevisionLine>, StorageError> {
        let connection = self.connections.get().await?;
        let values =
            [&project_row_id(project) as _, &i64::from(page.per_page) as _, &page.skipped() as _];
        let rows = query(&connection.database, LIST_REVISIONS, &values).await?;
        rows.iter().map(RevisionLine::from_row).collect()
    }
}

pub(super) async fn publish(
    database: &mut Object,
    publication: Publication,
) -> Result<PublishOutcome, StorageError> {
    let Publication { revision, precondition, settled, draft, managed_by, .. } = publication;
    let id = revision.project_id;
    let transaction = begin(database).await?;
    query_one(&transaction, LOCK_PROJECT, &[&project_row_id(id)]).await?;
    let head = projects::find(&transaction, id).await?;
    if let Some(outcome) = head.as_ref().and_then(|head| precondition.check(head)) {
        return Ok(outcome);
    }
    let Some(changes) = schedules::changes(&transaction, &revision, &settled).await? else {
        return Ok(PublishOutcome::LiveChanged);
    };
    if !update_draft(&transaction, id, head, &draft, managed_by).await? {
        return Ok(PublishOutcome::DraftChanged);
    }
    if revision.restored_from.is_some() {
        resource_changes::forget_live(&transaction, id).await?;
    }
    schedules::apply(&transaction, changes, revision.created_at).await?;
    let live = if is_snippet_live(&transaction, id, &revision.snippet_hash).await? {
        live(&transaction, id).await?.filter(|live| revision.is_same_as(live))
    } else {
        None
    };
    let outcome = match live {
        Some(live) => PublishOutcome::Unchanged(Box::new(live)),
        None => PublishOutcome::Published(Box::new(add(&transaction, revision).await?)),
    };
    if let PublishOutcome::Published(revision) = &outcome {
        audit::add(&transaction, &publication.entry.of_revision(revision.number)).await?;
        for announcement in publication.announcements {
            let announcement = announcement.of_revision(revision.number);
            webhooks::announce(&transaction, id, &announcement).await?;
        }
    }
    if let PublishOutcome::Published(revision) | PublishOutcome::Unchanged(revision) = &outcome {
        let number = i64::from(revision.number);
        let values = [&number as _, &managed_by.as_str() as _, &project_row_id(id) as _];
        execute(&transaction, GO_LIVE, &values).await?;
    }
    query_one(&transaction, TELL_PUBLICATION, &[]).await?;
    commit(transaction).await?;
    Ok(outcome)
}

/// Applies a publication's change to the draft; returns whether that was possible. Edits do not take the lock of publications.
async fn update_draft(
    database: &impl GenericClient,
    id: ProjectId,
    head: Option<ProjectHead>,
    update: &DraftUpdate,
    managed_by: ManagedBy,
) -> Result<bool, StorageError> {
    match (head, update) {
        (None, DraftUpdate::Keep) => Ok(false),
        (Some(_), DraftUpdate::Keep) => Ok(true),
        (None, DraftUpdate::Replace(draft)) => projects::add(database, id, draft, managed_by).await,
        (Some(head), DraftUpdate::Replace(draft)) => {
            if projects::is_draft(database, id, &draft.document).await? {
                return Ok(true);
            }
            let version = head.draft_version;
            Ok(projects::replace_draft(database, id, version, draft).await?.is_some())
        }
    }
}

async fn add(database: &impl GenericClient, new: NewRevision) -> Result<Revision, StorageError> {
    let id = project_row_id(new.project_id);
    let number: i64 = query_one(database, NEXT_REVISION_NUMBER, &[&id]).await?.try_get(0)?;
    let values = [
        &id as _,
        &number as _,
        &new.document as _,
        &new.document_hash as _,
        &new.snippet_hash as _,
        &new.javascript as _,
        &new.brotli as _,
        &new.gzip as _,
        &new.author as _,
        &new.message as _,
        &new.restored_from.map(i64::from) as _,
        &new.created_at.as_milliseconds() as _,
    ];
    execute(database, ADD_REVISION, &values).await?;
    Ok(new.numbered(revision_number(number)?))
}

pub(super) async fn live(
    database: &impl GenericClient,
    project: ProjectId,
) -> Result<Option<Revision>, StorageError> {
    let found = query_opt(database, LIVE_REVISION, &[&project_row_id(project)]).await?;
    found.map(|row| Revision::from_row(project, &row)).transpose()
}

/// Whether this is the snippet of the live revision.
async fn is_snippet_live(
    database: &impl GenericClient,
    project: ProjectId,
    snippet_hash: &str,
) -> Result<bool, StorageError> {
    let values = [&project_row_id(project) as _, &snippet_hash as _];
    Ok(query_opt(database, IS_SNIPPET_LIVE, &values).await?.is_some())
}
