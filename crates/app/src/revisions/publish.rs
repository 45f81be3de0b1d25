//! A program publishes the draft of a project: it becomes a revision, and is live.

use std::sync::Arc;

use domain::{Fault, Project, ProjectId, changes_that_spoil};
use serde_json::Value;
use storage::{
    AuditEvent, DraftUpdate, ManagedBy, Precondition, PublishOutcome, RevisionLine, StorageError,
};

use crate::App;
use crate::drafts::{Draft, EditError, Editor, TRIES, edit_turn, open_draft, project_view};
use crate::publishing::{Going, compile, go_live, read_live};
use crate::roles::Permission;

/// Code points of a message: some paragraphs.
pub const MESSAGE_LENGTH_AT_MOST: usize = 4_000;

/// A revision that is live.
#[derive(Debug)]
pub struct PublishedRevision {
    /// The revision.
    pub line: RevisionLine,
    /// Whether it was made now; otherwise all of it was live already.
    pub is_new: bool,
    /// What its authors may want to know.
    pub warnings: Vec<Fault>,
}

/// Publishes the draft of project `id`, provided that whoever asks has seen it as it is.
///
/// # Errors
/// See [`EditError`].
pub async fn publish_draft(
    app: &App,
    editor: &Editor,
    id: ProjectId,
    message: String,
    is_seen: impl Fn(&Draft) -> bool + Send,
) -> Result<PublishedRevision, EditError> {
    let _turn = edit_turn(app, editor, id, Permission::Publish).await?;
    for _ in 0..TRIES {
        let draft = open_draft(app, id).await?.ok_or(EditError::UnknownProject)?;
        if draft.head.managed_by == ManagedBy::File {
            return Err(EditError::ManagedByFile);
        }
        if !is_seen(&draft) {
            return Err(EditError::changed(project_view(&draft), None));
        }
        if let Some(live) = read_live(app, id, draft.head).await? {
            refuse_to_spoil(&live.project, &draft.project)?;
        }
        let compiled = compile(Arc::clone(&draft.project)).await?;
        let going = Going {
            author: editor.author(app).await?,
            message: message.clone(),
            restored_from: None,
            precondition: Precondition::of(draft.head),
            settled: Vec::new(),
            draft: DraftUpdate::Keep,
            managed_by: ManagedBy::Store,
            entry: editor.entry(app, AuditEvent::RevisionPublished, (id, "revision"), &Value::Null),
        };
        let outcome = go_live(app, compiled, going).await?;
        if let Some(published) = PublishedRevision::of(&outcome, draft.warnings.clone()) {
            return Ok(published);
        }
    }
    Err(StorageError::Busy.into())
}

impl PublishedRevision {
    /// What a publication came to; `None` if somebody else was faster.
    pub(super) fn of(outcome: &PublishOutcome, warnings: Vec<Fault>) -> Option<Self> {
        let (revision, is_new) = match outcome {
            PublishOutcome::Published(revision) => (revision, true),
            PublishOutcome::Unchanged(revision) => (revision, false),
            PublishOutcome::LiveChanged | PublishOutcome::DraftChanged => return None,
        };
        Some(Self { line: RevisionLine::from(&**revision), is_new, warnings })
    }
}

/// Visitors of an experiment that has begun stay where they were drawn to.
pub(super) fn refuse_to_spoil(live: &Project, next: &Project) -> Result<(), EditError> {
    let spoiling = changes_that_spoil(live, next);
    if spoiling.is_empty() { Ok(()) } else { Err(EditError::Running(spoiling)) }
}
