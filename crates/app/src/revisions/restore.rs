//! A program makes an earlier revision live again, as a new one. The draft stays unchanged, so no editor's work is lost.

use std::sync::Arc;

use domain::ProjectId;
use storage::{ManagedBy, Precondition};

use crate::App;
use crate::drafts::{EditError, ReadError, edit_turn};
use crate::publishing::{PublishRequest, publish_with_retry, read_live, read_revision};
use crate::revisions::publish::refuse_breaking_changes;
use crate::revisions::{PublishDraftError, PublishedRevision};
use crate::roles::{Actor, Permission};

/// Makes the content of revision `number` live again.
///
/// # Errors
/// See [`PublishDraftError`].
pub async fn restore_revision(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    number: u32,
    message: String,
) -> Result<PublishedRevision, PublishDraftError> {
    let _turn = edit_turn(app, actor, id, Permission::Publish).await?;
    let message = &message;
    let prepare = || async move {
        let head = app.store().find_project(id).await?.ok_or(ReadError::UnknownProject)?;
        if head.managed_by == ManagedBy::File {
            return Err(EditError::ManagedByFile.into());
        }
        let revision = read_revision(app, id, number).await?.ok_or(ReadError::NotFound)?;
        if let Some(live) = read_live(app, id, head).await? {
            refuse_breaking_changes(&live.project, &revision.project)?;
        }
        let precondition =
            Precondition { live: Some(head.live_revision.unwrap_or(0)), draft: None };
        let request =
            PublishRequest::by(app, actor, precondition, Arc::clone(&revision.project)).await?;
        let (message, restored_from) = (message.clone(), Some(number));
        Ok(Some((PublishRequest { message, restored_from, ..request }, Vec::new())))
    };
    let published = publish_with_retry::<_, PublishDraftError, _>(app, prepare).await?;
    Ok(PublishedRevision::of(published)?)
}
