//! A program discards unpublished changes: the draft becomes what is live.

use domain::{Pointer, ProjectId};
use serde_json::Value;

use crate::App;
use crate::drafts::edit::replaceable_draft;
use crate::drafts::{Draft, Edit, EditError, ExpectedVersion, ReadError, edit_in_turn, edit_turn};
use crate::publishing::read_live;
use crate::roles::{Actor, Permission};

/// Resets the draft of project `id` to what is live, if it is still the expected version. The
/// discarded changes stay in the audit log.
///
/// # Errors
/// See [`EditError`].
pub async fn discard_draft(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    expected: ExpectedVersion,
) -> Result<(), EditError> {
    let turn = edit_turn(app, actor, id, Permission::WriteDraft).await?.for_whole_draft();
    let draft = replaceable_draft(app, actor, id, turn.permission()).await?;
    let live = read_live(app, id, draft.head).await?.ok_or(ReadError::NotPublished)?;
    let change = move |draft: &Draft| {
        let current = Value::String(draft.tag.clone());
        expected.check(&current)?;
        Ok::<_, EditError>(Edit {
            document: live.document().clone(),
            changed: Pointer::root(),
            word: "draft",
        })
    };
    edit_in_turn(app, actor, id, &turn, change).await?;
    Ok(())
}
