//! A program lists the revisions of a project, or reads one.

use std::sync::Arc;

use domain::ProjectId;
use storage::{Counted, ListRange, RevisionLine};

use crate::App;
use crate::drafts::ReadError;
use crate::publishing::{RevisionDocument, read_revision};
use crate::roles::{Actor, Permission};

/// One page of the revisions of a project, newest first, and how many there are on all pages.
///
/// # Errors
/// [`ReadError::UnknownProject`], [`ReadError::Role`] or [`ReadError::Storage`].
pub async fn list_revision_lines(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    page: ListRange,
) -> Result<(Vec<RevisionLine>, u64), ReadError> {
    actor.require(app, Some(id), Permission::ReadConfiguration).await?;
    app.store().find_project(id).await?.ok_or(ReadError::UnknownProject)?;
    let revisions = app.store().list_revisions(id, page).await?;
    Ok((revisions, app.store().count(Counted::Revisions(id)).await?))
}

/// The revision of a project with this number, without its document.
///
/// # Errors
/// [`ReadError::UnknownProject`], [`ReadError::NotFound`], [`ReadError::Role`] or [`ReadError::Storage`].
pub async fn find_revision_line(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    number: u32,
) -> Result<RevisionLine, ReadError> {
    actor.require(app, Some(id), Permission::ReadConfiguration).await?;
    app.store().lookup_revision_line(id, number).await?.ok_or(ReadError::NotFound)
}

/// The content of the revision of a project with this number.
///
/// # Errors
/// [`ReadError::NotFound`], [`ReadError::Role`] or [`ReadError::Storage`].
pub async fn find_revision_document(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    number: u32,
) -> Result<Arc<RevisionDocument>, ReadError> {
    actor.require(app, Some(id), Permission::ReadConfiguration).await?;
    read_revision(app, id, number).await?.ok_or(ReadError::NotFound)
}
