//! A program makes an earlier revision live again, as a new one. The draft stays as it is: what others are working on is not lost.

use std::sync::Arc;

use domain::ProjectId;
use serde_json::Value;
use storage::{AuditEvent, DraftUpdate, ManagedBy, Precondition, StorageError};

use crate::App;
use crate::drafts::{EditError, Editor, TRIES, edit_turn};
use crate::publishing::{Going, compile, go_live, read_live, read_revision};
use crate::revisions::PublishedRevision;
use crate::revisions::publish::refuse_to_spoil;
use crate::roles::Permission;

/// Makes what revision `number` says live again.
///
/// # Errors
/// See [`EditError`].
pub async fn restore_revision(
    app: &App,
    editor: &Editor,
    id: ProjectId,
    number: u32,
    message: String,
) -> Result<PublishedRevision, EditError> {
    let _turn = edit_turn(app, editor, id, Permission::Publish).await?;
    for _ in 0..TRIES {
        let head = app.store().find_project(id).await?.ok_or(EditError::UnknownProject)?;
        if head.managed_by == ManagedBy::File {
            return Err(EditError::ManagedByFile);
        }
        let revision = read_revision(app, id, number).await?.ok_or(EditError::NotFound)?;
        if let Some(live) = read_live(app, id, head).await? {
            refuse_to_spoil(&live.project, &revision.project)?;
        }
        let compiled = compile(Arc::clone(&revision.project)).await?;
        let going = Going {
            author: editor.author(app).await?,
            message: message.clone(),
            restored_from: Some(number),
            precondition: Precondition { live: Some(head.live_revision.unwrap_or(0)), draft: None },
            settled: Vec::new(),
            draft: DraftUpdate::Keep,
            managed_by: ManagedBy::Store,
            entry: editor.entry(app, AuditEvent::RevisionPublished, (id, "revision"), &Value::Null),
        };
        let outcome = go_live(app, compiled, going).await?;
        if let Some(published) = PublishedRevision::of(&outcome, Vec::new()) {
            return Ok(published);
        }
    }
    Err(StorageError::Busy.into())
}
