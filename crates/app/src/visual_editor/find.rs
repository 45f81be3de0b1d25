//! A browser with an editor's link asks for the snippet. We check each time what the member may do now.

use std::sync::Arc;

use domain::{ProjectId, VariationId};
use serde_json::Value;
use snippet::{CompileError, Editing};

use crate::App;
use crate::computation::compute;
use crate::documents::{ResourceKind, find};
use crate::drafts::{Draft, open_draft};
use crate::heavy_work::Work;
use crate::previews::{FindPreviewError, delivered, has_unpublished_code, is_in_use, with_drafts};
use crate::publishing::{DeliveredSnippet, LiveProject, live_project};
use crate::roles::{Permission, require, rights_of};
use crate::signing_key::signing_key;
use crate::visual_editor::token::EditorToken;

/// The snippet of the live revision of project `id`, with the editor that `token` names.
///
/// # Errors
/// See [`FindPreviewError`].
pub async fn find_editor(
    app: &App,
    id: ProjectId,
    token: &str,
) -> Result<Arc<DeliveredSnippet>, FindPreviewError> {
    let token = EditorToken::read(token, &signing_key(app).await?);
    let token = token.filter(|token| token.project_id == id).ok_or(FindPreviewError::NotSigned)?;
    if token.expires_at <= app.now() {
        return Err(FindPreviewError::Expired);
    }
    require(app, token.member, Some(id), Permission::WriteDraft).await?;
    let rights = rights_of(app, token.member).await?;
    let may = |permission| rights.include(Some(id), permission);
    let (may_write_code, may_publish) = (may(Permission::WriteCode), may(Permission::Publish));
    let live = live_project(app, id).await?.ok_or(FindPreviewError::Gone)?;
    let draft = open_draft(app, id).await?.ok_or(FindPreviewError::Gone)?;
    let console = app.public_url().as_str().to_owned();
    let turn = app.turn(Work::Document).await?;
    // Compiling takes milliseconds of computation, so it stays off the async threads; the turn travels with it.
    let work = move || {
        let _turn = turn;
        make(&live, &draft, &Editor { token, console, may_write_code, may_publish })
    };
    let made = compute("compile_editor", work).await;
    made.map_err(|panic| CompileError::Internal(panic.to_string()))?
}

/// Who edits what.
struct Editor {
    token: EditorToken,
    console: String,
    may_write_code: bool,
    may_publish: bool,
}

fn make(
    live: &LiveProject,
    draft: &Draft,
    editor: &Editor,
) -> Result<Arc<DeliveredSnippet>, FindPreviewError> {
    use FindPreviewError::{Gone, NotTheirs, SwitchedOff};
    let id = editor.token.variation;
    let shown = with_drafts(&live.project, &draft.project, &[id]).ok_or(Gone)?;
    if !shown.snippet.preview {
        return Err(SwitchedOff);
    }
    if !is_in_use(&shown, id) {
        return Err(Gone);
    }
    if !editor.may_publish && has_unpublished_code(&shown, &live.project) {
        return Err(NotTheirs);
    }
    let (title, changes) = variation_of(draft, id).ok_or(Gone)?;
    let Editor { token, console, may_write_code, .. } = editor;
    let editing = Editing {
        variation: id,
        title,
        console: console.clone(),
        site: token.site.clone(),
        nonce: token.nonce.clone(),
        may_write_code: *may_write_code,
        changes,
    };
    let snippet = snippet::compile_editor(&shown, &editing)?;
    Ok(Arc::new(delivered(shown.id, live.number, snippet)))
}

/// What people call the variation, and its changes in the draft.
fn variation_of(draft: &Draft, id: VariationId) -> Option<(String, Value)> {
    let path = find(&draft.document, ResourceKind::Variation, &id.to_string())?;
    let variation = path.get(&draft.document);
    let title = variation["name"].as_str().or(variation["key"].as_str())?;
    Some((title.to_owned(), variation["changes"].clone()))
}
