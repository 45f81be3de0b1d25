//! A program takes back what was changed and not published: the draft becomes what is live.

use domain::{Pointer, ProjectId};
use serde_json::Value;

use crate::App;
use crate::drafts::{
    Draft, Edit, EditError, ReadError, Seen, edit_in_turn, edit_turn, editable_draft,
};
use crate::publishing::read_live;
use crate::roles::{Actor, Permission};

/// Makes the draft of project `id` what is live, provided that whoever asks has seen it as it is: `seen` is given its tag, as a JSON
/// string. What was changed stays in the audit log.
///
/// # Errors
/// See [`EditError`].
pub async fn discard_draft(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    seen: Seen,
) -> Result<(), EditError> {
    let turn = edit_turn(app, actor, id, Permission::WriteDraft).await?;
    let draft = editable_draft(app, actor, id, turn.permission()).await?;
    let live = read_live(app, id, draft.head).await?.ok_or(ReadError::NotPublished)?;
    let change = move |draft: &Draft| {
        let current = Value::String(draft.tag.clone());
        if !seen(&current) {
            return Err(EditError::changed(current, None));
        }
        Ok::<_, EditError>(Edit {
            document: live.document().clone(),
            changed: Pointer::root(),
            word: "draft",
        })
    };
    edit_in_turn(app, actor, id, &turn, change).await?;
    Ok(())
}
