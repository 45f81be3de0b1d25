//! A program makes an earlier revision live again, as a new one. The draft stays unchanged, so no editor's work is lost.

use std::sync::Arc;

use domain::{Project, ProjectId};
use storage::{ManagedBy, Precondition, ProjectHead};

use crate::App;
use crate::drafts::{
    EditError, ExpectedVersion, OpenedDraft, ReadError, edit_turn, open_or_find_unreadable,
    project_view,
};
use crate::publishing::{PublishRequest, publish_with_retry, read_live_if_readable, read_revision};
use crate::revisions::publish::refuse_breaking_changes;
use crate::revisions::{PublishDraftError, PublishedRevision};
use crate::roles::{Actor, Permission};

/// What is made live again, and why.
#[derive(Debug)]
pub struct Restoration {
    /// The number of the revision.
    pub number: u32,
    /// What the member says about it.
    pub message: String,
    /// The version of the project that it is restored in, if only one will do.
    pub expected: Option<ExpectedVersion>,
}

/// Makes the content of an earlier revision live again.
///
/// # Errors
/// See [`PublishDraftError`].
pub async fn restore_revision(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    restoration: Restoration,
) -> Result<PublishedRevision, PublishDraftError> {
    let _turn = edit_turn(app, actor, id, Permission::Publish).await?;
    let Restoration { number, message, expected } = &restoration;
    let number = *number;
    let prepare = || async move {
        let head = app.store().find_project(id).await?.ok_or(ReadError::UnknownProject)?;
        if head.managed_by == ManagedBy::File {
            return Err(EditError::ManagedByFile.into());
        }
        match find_draft(app, id).await? {
            OpenedDraft::Read(draft) => draft.refuse_if_archived()?,
            OpenedDraft::Unreadable(draft) if draft.is_archived() => {
                return Err(EditError::Archived.into());
            }
            OpenedDraft::Unreadable(_) => {}
        }
        let revision = read_revision(app, id, number).await?.ok_or(ReadError::NotFound)?;
        let precondition = precondition(app, id, head, expected.as_ref()).await?;
        let live = read_live_if_readable(app, id, head).await?;
        if let Some(live) = &live {
            refuse_breaking_changes(&live.project, &revision.project)?;
        }
        if has_code_of_old(app, &revision.project, live.as_ref().map(|live| &*live.project)).await?
        {
            let allowed = actor.require_role(app, Some(id), Permission::WriteCode).await;
            allowed.map_err(ReadError::from)?;
        }
        let request =
            PublishRequest::by(app, actor, precondition, Arc::clone(&revision.project)).await?;
        let (message, restored_from) = (message.clone(), Some(number));
        Ok(Some((PublishRequest { message, restored_from, ..request }, Vec::new())))
    };
    let published = publish_with_retry::<_, PublishDraftError, _>(app, prepare).await?;
    Ok(PublishedRevision::of(published)?)
}

/// Whether the revision has code that is neither live nor in the draft: to bring it back is to write it.
async fn has_code_of_old(
    app: &App,
    restored: &Project,
    live: Option<&Project>,
) -> Result<bool, ReadError> {
    let mut code = restored.privileged();
    if let Some(live) = live {
        let live = live.privileged();
        code.retain(|one| !live.contains(one));
    }
    if code.is_empty() {
        return Ok(false);
    }
    Ok(match find_draft(app, restored.id).await? {
        OpenedDraft::Read(draft) => !code.is_subset(&draft.project.privileged()),
        OpenedDraft::Unreadable(_) => true,
    })
}

async fn find_draft(app: &App, id: ProjectId) -> Result<OpenedDraft, ReadError> {
    open_or_find_unreadable(app, id).await?.ok_or(ReadError::UnknownProject)
}

/// What must not change meanwhile: what is live, and of a project that the actor has seen also the draft.
async fn precondition(
    app: &App,
    id: ProjectId,
    head: ProjectHead,
    expected: Option<&ExpectedVersion>,
) -> Result<Precondition, EditError> {
    let Some(expected) = expected else {
        return Ok(Precondition { live: Some(head.live_revision.unwrap_or(0)), draft: None });
    };
    let draft = find_draft(app, id).await?;
    expected.check(&match &draft {
        OpenedDraft::Read(draft) => project_view(draft),
        OpenedDraft::Unreadable(draft) => draft.project_view(),
    })?;
    Ok(Precondition::of(draft.head()))
}
