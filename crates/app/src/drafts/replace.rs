//! A program replaces the whole draft by another document: that of a project file.

use domain::{Fault, Pointer, ProjectId, SharedDocument};
use serde_json::Value;
use std::sync::Arc;
use storage::StorageError;

use crate::App;
use crate::drafts::edit::next_draft_of;
use crate::drafts::{Draft, Edit, EditError, Editor, Seen, edit_draft, editable_draft, open_draft};
use crate::projects::{CheckedProject, check_shared};
use crate::revisions::{Difference, capped, differences};
use crate::roles::{Permission, require};
use crate::schedules::with_done;

/// What a document changes, or would change, in the draft.
#[derive(Debug)]
pub struct Plan {
    /// What is different, thing by thing.
    pub differences: Vec<Difference>,
    /// Whether more is different than is told.
    pub is_cut: bool,
    /// What its authors may want to know.
    pub warnings: Vec<Fault>,
    /// The entity tag of the draft: the one that there is now.
    pub tag: String,
}

/// Puts `document` in the place of the draft of project `id`, provided that whoever asks has seen the draft as it is: `seen` is given
/// its tag, as a JSON string.
///
/// # Errors
/// See [`EditError`].
pub async fn replace_document(
    app: &App,
    editor: &Editor,
    id: ProjectId,
    document: Value,
    seen: Seen,
) -> Result<Plan, EditError> {
    let before = editable_draft(app, editor, id).await?;
    let document = SharedDocument::of(document).map_err(EditError::Faults)?;
    let document = with_done_of(app, id, document).await?;
    let change = move |draft: &Draft| replacement(draft, &document, &seen);
    let (after, _) = edit_draft(app, editor, id, change).await?;
    let (differences, is_cut) = capped(differences(&before.document, &after.document));
    Ok(Plan { differences, is_cut, warnings: after.warnings.clone(), tag: after.tag.clone() })
}

/// What `document` would change, if it came in the place of the draft of project `id`. Nothing is stored, so that it may be asked of a
/// project that a file manages, too.
///
/// # Errors
/// See [`EditError`].
pub async fn plan_document(
    app: &App,
    editor: &Editor,
    id: ProjectId,
    document: Value,
) -> Result<Plan, EditError> {
    require(app, editor.member, Some(id), Permission::WriteDraft).await?;
    let before = open_draft(app, id).await?.ok_or(EditError::UnknownProject)?;
    let document = SharedDocument::of(document).map_err(EditError::Faults)?;
    let document = with_done_of(app, id, document).await?;
    let any: Seen = Arc::new(|_| true);
    let change = move |draft: &Draft| replacement(draft, &document, &any);
    let after = next_draft_of(app, id, &before, Arc::new(change)).await?;
    let (differences, is_cut) = capped(differences(&before.document, &after.document));
    Ok(Plan { differences, is_cut, warnings: after.warnings, tag: before.tag.clone() })
}

/// The document with what its schedules have done already: a project file still says what was before. One that is not right stays as it
/// is, and is refused in its author's words.
async fn with_done_of(
    app: &App,
    id: ProjectId,
    document: SharedDocument,
) -> Result<SharedDocument, EditError> {
    if app.store().list_moments(id).await?.is_empty() {
        return Ok(document);
    }
    let (document, checked) = tokio::task::spawn_blocking(move || {
        let checked = check_shared(&document).ok();
        (document, checked)
    })
    .await?;
    let Some(CheckedProject { project, .. }) = checked.filter(|one| one.project.id == id) else {
        return Ok(document);
    };
    let done = with_done(app, project.clone()).await?;
    Ok(if done == project { document } else { SharedDocument::of_project(&done) })
}

fn replacement(draft: &Draft, document: &SharedDocument, seen: &Seen) -> Result<Edit, EditError> {
    let current = Value::String(draft.tag.clone());
    if !seen(&current) {
        return Err(EditError::changed(current, None));
    }
    Ok(Edit { document: document.clone(), changed: Pointer::root(), word: "document" })
}

impl From<tokio::task::JoinError> for EditError {
    fn from(panic: tokio::task::JoinError) -> Self {
        StorageError::corrupt(format!("draft: {panic}")).into()
    }
}
