//! A program publishes the draft of a project: it becomes a revision and goes live.

use std::sync::Arc;

use domain::{Fault, Project, ProjectId, breaking_changes};
use snippet::CompileError;
use storage::{ManagedBy, Precondition, RevisionLine, StorageError};
use thiserror::Error;

use crate::App;
use crate::drafts::{
    Draft, EditError, ReadError, edit_turn, open_draft, project_view, warnings_at_publication,
};
use crate::publishing::{LiveRevision, PublishRequest, publish_with_retry, read_live_if_readable};
use crate::roles::{Actor, Permission};

/// Code points of a message: some paragraphs.
pub const MESSAGE_LENGTH_AT_MOST: usize = 4_000;

/// A live revision.
#[derive(Debug)]
pub struct PublishedRevision {
    /// The revision.
    pub line: RevisionLine,
    /// Whether it is new; otherwise the same content was live already.
    pub is_new: bool,
    /// Warnings for its authors.
    pub warnings: Vec<Fault>,
}

/// Why no revision went live. The live revision stays live.
#[derive(Debug, Error)]
pub enum PublishDraftError {
    /// The actor may not publish, or the draft has changed meanwhile.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// It does not compile.
    #[error(transparent)]
    Compile(#[from] CompileError),
}

impl From<ReadError> for PublishDraftError {
    fn from(error: ReadError) -> Self {
        EditError::from(error).into()
    }
}

impl From<StorageError> for PublishDraftError {
    fn from(error: StorageError) -> Self {
        EditError::from(error).into()
    }
}

/// Publishes the draft of project `id`, if it is still as the actor saw it.
///
/// # Errors
/// See [`PublishDraftError`].
pub async fn publish_draft(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    message: String,
    is_seen: impl Fn(&Draft) -> bool + Send + Sync,
) -> Result<PublishedRevision, PublishDraftError> {
    let _turn = edit_turn(app, actor, id, Permission::Publish).await?;
    let (message, is_seen) = (&message, &is_seen);
    let prepare = || async move {
        let draft = open_draft(app, id).await?.ok_or(ReadError::UnknownProject)?;
        if draft.head.managed_by == ManagedBy::File {
            return Err(EditError::ManagedByFile.into());
        }
        if !is_seen(&draft) {
            return Err(EditError::changed(project_view(&draft), None).into());
        }
        if let Some(live) = read_live_if_readable(app, id, draft.head).await? {
            // The revision that archives the project goes live, and the one that restores it.
            if live.project.archived {
                draft.refuse_if_archived()?;
            }
            refuse_breaking_changes(&live.project, &draft.project)?;
        }
        let precondition = Precondition::of(draft.head);
        let request =
            PublishRequest::by(app, actor, precondition, Arc::clone(&draft.project)).await?;
        let warnings = warnings_at_publication(app, &draft).await?;
        Ok(Some((PublishRequest { message: message.clone(), ..request }, warnings)))
    };
    let published = publish_with_retry::<_, PublishDraftError, _>(app, prepare).await?;
    Ok(PublishedRevision::of(published)?)
}

impl PublishedRevision {
    pub(super) fn of(published: Option<(LiveRevision, Vec<Fault>)>) -> Result<Self, StorageError> {
        let (live, warnings) = published.ok_or(StorageError::Busy)?;
        let LiveRevision { line, is_new } = live;
        Ok(Self { line, is_new, warnings })
    }
}

/// Visitors of an experiment that has begun must keep their variations.
pub(super) fn refuse_breaking_changes(live: &Project, next: &Project) -> Result<(), EditError> {
    let breaking = breaking_changes(live, next);
    if breaking.is_empty() { Ok(()) } else { Err(EditError::Breaking(breaking)) }
}
