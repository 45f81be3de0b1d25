//! The source of a draft: the project file that it was applied from, as its author wrote it, so that `assay export` gives back comments and
//! references to files. The server keeps the text and believes nothing of it: who writes a file compares its meaning with the draft.

use domain::{Fault, Pointer, ProjectId};
use serde_json::Value;
use storage::DraftSource;

use crate::App;
use crate::drafts::edit::editable_draft;
use crate::drafts::{EditError, ExpectedVersion, ReadError};
use crate::roles::{Actor, Permission};
use crate::{dto, request};

request! {
    /// The source to keep with the draft.
    pub struct SourceRequest: "document_source_to_keep" {
        /// The whole project file in YAML or JSON, as its author wrote it. Files that it refers to are not part of it.
        text: String,
    }
}

dto! {
    /// The project file that the draft was applied from.
    pub struct SourceDto: "document_source" {
        /// The text, byte for byte.
        text: String,
        /// The `ETag` of the draft that it became. The draft's own differs once the draft has changed.
        draft: String,
    }
}

impl From<DraftSource> for SourceDto {
    fn from(source: DraftSource) -> Self {
        Self { text: source.text, draft: source.draft_tag }
    }
}

/// Keeps the source of a draft that is still the expected one: gets its tag, as a JSON string.
///
/// # Errors
/// See [`EditError`].
pub async fn keep_source(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    SourceRequest { text }: SourceRequest,
    expected: ExpectedVersion,
) -> Result<(), EditError> {
    let draft = editable_draft(app, actor, id, Permission::WriteDraft).await?;
    let current = Value::String(draft.tag.clone());
    expected.check(&current)?;
    check_text(&text)?;
    let source = DraftSource { text, draft_tag: draft.tag.clone() };
    let is_kept = app.store().set_draft_source(id, draft.head.draft_version, source).await?;
    if is_kept { Ok(()) } else { Err(EditError::changed(current, None)) }
}

/// The source of a draft, if one is known. The draft may have changed since.
///
/// # Errors
/// See [`ReadError`].
pub async fn find_source(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<Option<SourceDto>, ReadError> {
    actor.require(app, Some(id), Permission::ReadConfiguration).await?;
    Ok(app.store().find_draft_source(id).await?.map(SourceDto::from))
}

/// YAML has no other control characters, and a terminal that shows an exported file would obey them.
fn check_text(text: &str) -> Result<(), EditError> {
    let is_bad = |character: &char| character.is_control() && !"\t\n\r\u{85}".contains(*character);
    let Some(found) = text.chars().find(is_bad) else { return Ok(()) };
    let message = format!("the text has the control character U+{:04X}", u32::from(found));
    let pointer = Pointer::root().field("text");
    Err(EditError::Invalid(vec![Fault::error("control_character", pointer, message)]))
}
