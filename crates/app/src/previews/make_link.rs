//! A member makes a link to a page of their site that shows variations which visitors do not see yet. The link is kept, so that it can be
//! listed and revoked. A draft link depends on that member's rights.

use std::sync::Arc;

use domain::{Fault, Pointer, Project, ProjectId, VariationId};
use oauth::Timestamp;
use serde_json::json;
use storage::{AuditEvent, PREVIEW_LINKS_AT_MOST, StorageError, StoredPreviewLink};
use thiserror::Error;

use crate::App;
use crate::computation::compute;
use crate::decisions::KnownNames;
use crate::drafts::{Draft, open_draft};
use crate::heavy_work::Work;
use crate::previews::address::without_token;
use crate::previews::find::{is_in_use, with_drafts};
use crate::previews::link::PreviewLink;
use crate::previews::maker::{PreviewMaker, has_unpublished_code};
use crate::previews::request::{PreviewRequest, PreviewSource};
use crate::previews::token::ID_BYTES;
use crate::publishing::live_project;
use crate::roles::{Actor, Permission, RoleError};
use crate::signing_key::signing_key;

/// Why there is no link.
#[derive(Debug, Error)]
pub enum MakePreviewLinkError {
    /// The project is unknown or was never published.
    #[error("there is no such project, or nothing of it is live")]
    UnknownProject,
    /// The live snippet ignores preview links.
    #[error("previews are switched off in this project")]
    SwitchedOff,
    /// The project has too many links.
    #[error("{PREVIEW_LINKS_AT_MOST} links of this project work already; revoke some first")]
    TooMany,
    /// The actor may not show this to others.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The request is invalid.
    #[error("the request has {} faults", .0.len())]
    Faults(Vec<Fault>),
    /// The store did not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Makes a link to variations of project `id`. It follows the live revision or the draft, and changes with it.
///
/// # Errors
/// See [`MakePreviewLinkError`].
pub async fn make_preview_link(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    request: &PreviewRequest,
) -> Result<PreviewLink, MakePreviewLinkError> {
    use MakePreviewLinkError::{Faults, SwitchedOff, TooMany, UnknownProject};
    actor.require(app, Some(id), Permission::WriteDraft).await?;
    let maker = PreviewMaker::from(actor);
    let project = live_project(app, id).await?.ok_or(UnknownProject)?.project;
    if !project.snippet.preview {
        return Err(SwitchedOff);
    }
    let draft = match request.source {
        PreviewSource::Live => None,
        PreviewSource::Draft => {
            maker.require_draft(app, id).await?;
            Some(open_draft(app, id).await?.ok_or(UnknownProject)?)
        }
    };
    let shown = draft.as_ref().map_or(&project, |draft| &draft.project);
    let mut faults = request.faults();
    let variations = variation_ids(shown, &request.variations, &mut faults);
    let page = without_token(&request.url).map_err(|fault| faults.push(*fault)).ok();
    let Some(page) = page.filter(|_| faults.is_empty()) else { return Err(Faults(faults)) };
    if let Some(draft) = &draft
        && shows_unpublished_code(app, (&project, draft), &variations).await?
    {
        maker.require_code(app, id).await?;
    }
    let link = kept(app, actor, (id, page), variations, request).await?;
    let change = json!([{"op": "add", "path": "", "value": link.url}]);
    let entity = format!("preview link {}", link.id);
    let entry = actor.entry(app, AuditEvent::PreviewLinkMade, (id, &entity), &change);
    if !app.store().add_preview_link(link.clone(), entry).await? {
        return Err(TooMany);
    }
    Ok(PreviewLink::of(app, link, &signing_key(app).await?).await?)
}

/// What is kept of a new link to this page.
async fn kept(
    app: &App,
    actor: &Actor,
    (project, url): (ProjectId, String),
    variations: Vec<VariationId>,
    request: &PreviewRequest,
) -> Result<StoredPreviewLink, StorageError> {
    let made_at = app.now();
    Ok(StoredPreviewLink {
        id: hex::encode(app.random::<ID_BYTES>()),
        project,
        url,
        variations,
        is_switchable: request.is_switchable,
        is_draft: request.source == PreviewSource::Draft,
        member: actor.member(),
        made_by: actor.author(app).await?,
        made_at,
        expires_at: whole_second(made_at + request.lifetime()),
        revoked_at: None,
        last_opened_at: None,
    })
}

/// Builds and checks the preview as when the link is opened, which takes milliseconds of computation.
pub(crate) async fn shows_unpublished_code(
    app: &App,
    (live, draft): (&Arc<Project>, &Arc<Draft>),
    variations: &[VariationId],
) -> Result<bool, StorageError> {
    let turn = app.turn(Work::Document).await.map_err(|_| StorageError::Busy)?;
    let (live, draft) = (Arc::clone(live), Arc::clone(draft));
    let variations = variations.to_vec();
    let work = move || {
        let _turn = turn;
        with_drafts(&live, &draft.project, &variations)
            .is_some_and(|shown| has_unpublished_code(&shown, &live))
    };
    Ok(compute("find_unpublished_code", work).await?)
}

fn variation_ids(project: &Project, given: &[String], faults: &mut Vec<Fault>) -> Vec<VariationId> {
    let (names, field) = (KnownNames::of(project), Pointer::root().field("variations"));
    let mut ids = Vec::new();
    for (index, given) in given.iter().enumerate() {
        let pointer = field.element(index);
        match names.variation(given, &pointer).map(|known| known.id.parse::<VariationId>()) {
            Ok(Ok(id)) if !is_in_use(project, id) => {
                let message =
                    format!("the variation `{given}` is archived, so there is nothing to show");
                faults.push(Fault::error("archived_reference", pointer, message));
            }
            Ok(id) => ids.extend(id),
            Err(fault) => faults.push(*fault),
        }
    }
    ids
}

/// As precisely as it is told.
fn whole_second(moment: Timestamp) -> Timestamp {
    Timestamp::from_milliseconds(moment.as_milliseconds() / 1_000 * 1_000)
}
