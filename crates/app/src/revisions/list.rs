//! A program reads which revisions a project has.

use std::sync::Arc;

use domain::ProjectId;
use storage::{MemberId, Page, RevisionLine};

use crate::App;
use crate::drafts::EditError;
use crate::revisions::{RevisionDocument, read_revision};
use crate::roles::{Permission, require};

/// One page of the revisions of a project, newest first.
///
/// # Errors
/// [`EditError::UnknownProject`], [`EditError::Role`] or [`EditError::Storage`].
pub async fn list_revision_lines(
    app: &App,
    member: MemberId,
    id: ProjectId,
    page: Page,
) -> Result<Vec<RevisionLine>, EditError> {
    require(app, member, Some(id), Permission::ReadConfiguration).await?;
    app.store().find_project(id).await?.ok_or(EditError::UnknownProject)?;
    Ok(app.store().list_revisions(id, page).await?)
}

/// The revision of a project with this number, without its document.
///
/// # Errors
/// [`EditError::UnknownProject`], [`EditError::NotFound`], [`EditError::Role`] or [`EditError::Storage`].
pub async fn find_revision_line(
    app: &App,
    member: MemberId,
    id: ProjectId,
    number: u32,
) -> Result<RevisionLine, EditError> {
    require(app, member, Some(id), Permission::ReadConfiguration).await?;
    let revision = app.store().lookup_revision(id, number).await?.ok_or(EditError::NotFound)?;
    Ok(RevisionLine::from(&revision))
}

/// What the revision of a project with this number says.
///
/// # Errors
/// [`EditError::NotFound`], [`EditError::Role`] or [`EditError::Storage`].
pub async fn find_revision_document(
    app: &App,
    member: MemberId,
    id: ProjectId,
    number: u32,
) -> Result<Arc<RevisionDocument>, EditError> {
    require(app, member, Some(id), Permission::ReadConfiguration).await?;
    read_revision(app, id, number).await?.ok_or(EditError::NotFound)
}
