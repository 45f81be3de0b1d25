//! A browser with a preview link requests its snippet. We check each time that the link was not revoked, and for a draft link what the
//! member who made it may do: they may have left, or have a smaller role.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use domain::{
    Campaign, CampaignStatus, Project, ProjectId, SharedDocument, Variation, VariationId,
};
use snippet::{CompileError, Offer, Snippet};
use storage::{OPENING_KNOWN_TO, StorageError, StoredPreviewLink};
use thiserror::Error;

use crate::App;
use crate::computation::compute;
use crate::documents::check_shared;
use crate::drafts::{Draft, open_draft};
use crate::heavy_work::{Overloaded, Work};
use crate::previews::cache::{CachedPreview, PreviewKey};
use crate::previews::link::PreviewLinkState;
use crate::previews::maker::{PreviewMaker, has_unpublished_code};
use crate::previews::token::PreviewToken;
use crate::publishing::{DeliveredSnippet, live_number, read_revision};
use crate::roles::RoleError;
use crate::signing_key::signing_key;

/// Sent in place of a token to end the preview.
const END: &str = "off";

/// Why there is no preview. The messages are for the person who looks at the page.
#[derive(Debug, Error)]
pub enum FindPreviewError {
    /// The person ended the preview.
    #[error("this tab shows what visitors see again")]
    Ended,
    /// We did not sign this token.
    #[error("this link is not as it was made, or belongs to another server")]
    NotSigned,
    /// It is for the pages of another project.
    #[error("this link is for another project of this server")]
    OtherProject,
    /// It ended so long ago that it is not kept, or was made after the backup that this server was restored from.
    #[error("this server does not know this link any more; ask for a new one")]
    Forgotten,
    /// A member revoked it.
    #[error("this link was revoked; ask for a new one")]
    Revoked,
    /// It has expired.
    #[error("this link has expired; ask for a new one")]
    Expired,
    /// The member who made it may no longer show the draft, or code in it.
    #[error("the member who made this link may not show it any more; ask for a new one")]
    NotTheirs,
    /// The live revision does not allow previews.
    #[error("previews are switched off in this project (`snippet.preview`)")]
    SwitchedOff,
    /// The live revision lacks the variations.
    #[error("what this link shows is not in the project any more")]
    Gone,
    /// The live revision does not compile with them.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The server is making too many previews.
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
    /// The store did not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<RoleError> for FindPreviewError {
    fn from(error: RoleError) -> Self {
        match error {
            RoleError::Insufficient { .. } | RoleError::Scope(_) => Self::NotTheirs,
            RoleError::Storage(error) => Self::Storage(error),
        }
    }
}

/// The snippet of the live revision of project `id` that shows what `token` names.
///
/// # Errors
/// See [`FindPreviewError`].
pub async fn find_preview(
    app: &App,
    id: ProjectId,
    token: &str,
) -> Result<Arc<DeliveredSnippet>, FindPreviewError> {
    if token == END {
        return Err(FindPreviewError::Ended);
    }
    let token = PreviewToken::read(token, &signing_key(app).await?);
    let token = token.ok_or(FindPreviewError::NotSigned)?;
    if token.project_id != id {
        return Err(FindPreviewError::OtherProject);
    }
    let link = valid_link(app, &token).await?;
    let number = live_number(app, id).await?.ok_or(FindPreviewError::Gone)?;
    let draft = if link.is_draft {
        Some(open_draft(app, id).await?.ok_or(FindPreviewError::Gone)?)
    } else {
        None
    };
    let tag = draft.as_ref().map(|draft| draft.tag.clone());
    let (offer, chosen) = if link.is_switchable {
        (Offer::OtherVariations, token.chosen)
    } else {
        (Offer::Nothing, Vec::new())
    };
    let variations = link.variations.clone();
    let key = PreviewKey { project: id, revision: number, draft: tag, variations, chosen, offer };
    let preview = match app.caches().previews.find(&key) {
        Some(preview) => preview,
        None => prepare(app, key, draft).await?,
    };
    if link.is_draft && preview.has_unpublished_code {
        PreviewMaker::from(&*link).require_code(app, id).await?;
    }
    note_opening(app, &link).await;
    Ok(preview.snippet)
}

/// The link of a token that we signed, if it works.
async fn valid_link(
    app: &App,
    token: &PreviewToken,
) -> Result<Arc<StoredPreviewLink>, FindPreviewError> {
    let link = app.store().find_preview_link(&token.link_id, app.now()).await?;
    let link = link.filter(|link| link.project == token.project_id);
    let link = link.ok_or(FindPreviewError::Forgotten)?;
    match PreviewLinkState::of(app, &link).await? {
        PreviewLinkState::Valid => Ok(link),
        PreviewLinkState::Expired => Err(FindPreviewError::Expired),
        PreviewLinkState::Revoked => Err(FindPreviewError::Revoked),
        PreviewLinkState::Powerless => Err(FindPreviewError::NotTheirs),
    }
}

/// Writes down once an hour that a link is opened. The person sees the preview even if that fails.
async fn note_opening(app: &App, link: &StoredPreviewLink) {
    let now = app.now();
    if link.last_opened_at.is_some_and(|last| now < last + OPENING_KNOWN_TO) {
        return;
    }
    if let Err(error) = app.store().note_preview_link_opened(&link.id, now).await
        && !error.is_logged()
    {
        tracing::warn!(%error, "that a preview link was opened could not be written down");
    }
}

/// Compiles a preview and caches it.
async fn prepare(
    app: &App,
    key: PreviewKey,
    draft: Option<Arc<Draft>>,
) -> Result<CachedPreview, FindPreviewError> {
    let turn = app.turn(Work::Document).await?;
    // Another request with the same link may have been faster.
    if let Some(preview) = app.caches().previews.find(&key) {
        return Ok(preview);
    }
    let live =
        read_revision(app, key.project, key.revision).await?.ok_or(FindPreviewError::Gone)?;
    // Checking, compiling and compressing take milliseconds of computation, so they stay off the async threads. The turn travels with the
    // work: a browser that disconnects does not free its turn early.
    let asked = key.clone();
    let work = move || {
        let _turn = turn;
        make(&live.project, draft.as_deref(), &asked)
    };
    let made = compute("compile_preview", work).await;
    let preview = made.map_err(|panic| CompileError::Internal(panic.to_string()))??;
    Ok(app.caches().previews.put(key, preview))
}

fn make(
    live: &Project,
    draft: Option<&Draft>,
    asked: &PreviewKey,
) -> Result<CachedPreview, FindPreviewError> {
    let variations = &asked.variations;
    let with_drafts = draft.map(|draft| with_drafts(live, &draft.project, variations));
    let with_drafts = with_drafts.map(|project| project.ok_or(FindPreviewError::Gone));
    let with_drafts = with_drafts.transpose()?;
    let project = with_drafts.as_ref().unwrap_or(live);
    check(project, variations)?;
    let shown = switched(project, variations, &asked.chosen);
    let snippet = snippet::compile_preview(project, &shown, asked.offer)?;
    let snippet = Arc::new(delivered(project.id, asked.revision, snippet));
    Ok(CachedPreview { snippet, has_unpublished_code: has_unpublished_code(project, live) })
}

/// The live project with the draft's campaigns of these variations, as if not running, so that visitors see nothing else of them. `None` if
/// the two do not fit together.
pub(crate) fn with_drafts(
    live: &Project,
    draft: &Project,
    variations: &[VariationId],
) -> Option<Project> {
    let is_shown = |campaign: &Campaign| {
        let experiments = campaign.experiments.iter();
        let mut of_campaign = experiments.flat_map(|experiment| &experiment.variations);
        of_campaign.any(|variation| variations.contains(&variation.id))
    };
    let mut shown = live.clone();
    for campaign in draft.campaigns.iter().filter(|campaign| is_shown(campaign)) {
        shown = shown.with_campaign_of(draft, campaign.id);
        if let Some(copy) = shown.campaign_mut(campaign.id) {
            copy.status = CampaignStatus::NotStarted;
        }
    }
    Some(check_shared(&SharedDocument::of_project(&shown)).ok()?.project)
}

fn check(project: &Project, variations: &[VariationId]) -> Result<(), FindPreviewError> {
    if !project.snippet.preview {
        return Err(FindPreviewError::SwitchedOff);
    }
    let is_anything_shown = variations.iter().any(|id| is_in_use(project, *id));
    is_anything_shown.then_some(()).ok_or(FindPreviewError::Gone)
}

/// The variations with those chosen in their experiments instead. What is of no experiment of the link's, or archived, does not count.
fn switched(
    project: &Project,
    variations: &[VariationId],
    chosen: &[VariationId],
) -> Vec<VariationId> {
    let experiments = || project.campaigns.iter().flat_map(|campaign| &campaign.experiments);
    let instead = |shown: &VariationId| {
        let of_same = experiments()
            .map(|experiment| &experiment.variations)
            .find(|variations| variations.iter().any(|variation| variation.id == *shown))?;
        let is_chosen =
            |variation: &&Variation| !variation.archived && chosen.contains(&variation.id);
        of_same.iter().find(is_chosen).map(|variation| variation.id)
    };
    variations.iter().map(|shown| instead(shown).unwrap_or(*shown)).collect()
}

/// Whether the project has the variation unarchived.
pub(crate) fn is_in_use(project: &Project, id: VariationId) -> bool {
    let experiments = project.campaigns.iter().flat_map(|campaign| &campaign.experiments);
    let in_use = experiments.filter(|experiment| !experiment.archived);
    let mut variations = in_use.flat_map(|experiment| &experiment.variations);
    variations.any(|variation| variation.id == id && !variation.archived)
}

/// A compiled preview, ready to be sent.
pub(crate) fn delivered(
    project_id: ProjectId,
    revision: u32,
    snippet: Snippet,
) -> DeliveredSnippet {
    DeliveredSnippet {
        project_id,
        revision,
        brotli: Bytes::from(snippet.brotli()),
        gzip: Bytes::from(snippet.gzip()),
        hash: snippet.hash,
        javascript: Bytes::from(snippet.javascript),
        // Visits without previews renew it.
        visitor_cookie: None,
        deltas: OnceLock::new(),
    }
}
