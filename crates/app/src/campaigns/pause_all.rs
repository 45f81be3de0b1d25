//! A member stops a site in an emergency: whatever runs is paused, at once and in one revision. What else the draft has stays unpublished.

use domain::{Campaign, CampaignId, CampaignStatus, Project, ProjectId};
use oauth::Timestamp;
use storage::{KnownMoment, MomentOutcome, Precondition, ScheduledAction, StorageError};

use crate::App;
use crate::campaigns::act::with_state;
use crate::campaigns::conclude::Conclusion;
use crate::computation::compute;
use crate::documents::{Live, ResourceKind, all, check_shared};
use crate::drafts::{
    Draft, EditError, EditTurn, ReadError, edit_turn, editable_draft, open_draft, readable_draft,
};
use crate::publishing::{
    DraftAfter, PublishRequest, RevisionDocument, publish_with_retry, read_live,
};
use crate::resources::ActionError;
use crate::roles::{Actor, Author, Permission};

/// What became of a project's campaigns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PausedCampaigns {
    /// Those that ran, in the order of the document.
    pub campaigns: Vec<CampaignId>,
    /// The revision that made it live; `None` if none ran.
    pub revision: Option<u32>,
    /// The starts that are still to come.
    pub scheduled_starts: Vec<ScheduledStart>,
}

/// A campaign that is live and starts by its schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduledStart {
    /// The campaign.
    pub campaign: CampaignId,
    /// Its name or key.
    pub title: String,
    /// When it starts.
    pub starts_at: Timestamp,
}

/// Pauses every campaign that runs. A winner that is shipped stays: it is no campaign that runs. What starts by its schedule starts all the
/// same.
///
/// # Errors
/// See [`ActionError`].
pub async fn pause_all_campaigns(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<PausedCampaigns, ActionError> {
    let turn = edit_turn(app, actor, id, Permission::Publish).await?;
    let prepare = || publication(app, actor, (id, &turn));
    let (campaigns, revision) = match publish_with_retry(app, prepare).await? {
        Some((live, (campaigns, next))) => {
            app.drafts().put(next);
            (campaigns, Some(live.line.number))
        }
        None => (Vec::new(), None),
    };
    // They are paused, whatever else cannot be read.
    let scheduled_starts = scheduled_starts(app, id).await.unwrap_or_default();
    Ok(PausedCampaigns { campaigns, revision, scheduled_starts })
}

/// The titles of the campaigns that run, which visitors get.
///
/// # Errors
/// [`ReadError::UnknownProject`], [`ReadError::Role`] or [`ReadError::Storage`].
pub async fn list_running_campaigns(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<Vec<String>, ReadError> {
    let draft = readable_draft(app, actor, id).await?;
    let live = read_live(app, id, draft.head).await?;
    let campaigns = live.iter().filter(|live| !live.project.archived);
    let campaigns = campaigns.flat_map(|live| &live.project.campaigns);
    Ok(campaigns.filter(|one| is_running(one)).map(|one| one.title().to_owned()).collect())
}

/// The starts of campaigns that are live, the earliest first.
///
/// # Errors
/// [`ReadError::UnknownProject`], [`ReadError::Role`] or [`ReadError::Storage`].
pub async fn list_scheduled_starts(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<Vec<ScheduledStart>, ReadError> {
    readable_draft(app, actor, id).await?;
    Ok(scheduled_starts(app, id).await?)
}

async fn scheduled_starts(app: &App, id: ProjectId) -> Result<Vec<ScheduledStart>, StorageError> {
    let Some(draft) = open_draft(app, id).await? else { return Ok(Vec::new()) };
    let Some(live) = read_live(app, id, draft.head).await? else { return Ok(Vec::new()) };
    let known = app.store().list_moments(id).await?;
    let start = |known: &KnownMoment| {
        let moment = known.moment;
        let is_to_come =
            known.outcome == MomentOutcome::Due && moment.action == ScheduledAction::Start;
        let campaign = live.project.campaign(moment.campaign).filter(|_| is_to_come)?;
        let title = campaign.title().to_owned();
        Some(ScheduledStart { campaign: campaign.id, title, starts_at: moment.due_at })
    };
    Ok(known.iter().filter_map(start).collect())
}

/// What goes live, what is paused by it, and the new draft; `None` if nothing runs.
async fn publication(
    app: &App,
    actor: &Actor,
    (id, turn): (ProjectId, &EditTurn<'_>),
) -> Result<Option<(PublishRequest, (Vec<CampaignId>, Draft))>, ActionError> {
    let draft = editable_draft(app, actor, id, turn.permission()).await?;
    let Some(live) = read_live(app, id, draft.head).await? else { return Ok(None) };
    if live.project.archived {
        return Err(EditError::Archived.into());
    }
    let campaigns: Vec<_> =
        live.project.campaigns.iter().filter(|one| is_running(one)).map(|one| one.id).collect();
    if campaigns.is_empty() {
        return Ok(None);
    }
    let precondition = Precondition::of(draft.head);
    let author = actor.as_author(app).await?;
    let work = move || paused(&draft, &live, (campaigns, author));
    let (live, campaigns, next) = compute("pause_campaigns", work).await??;
    let request = PublishRequest::by(app, actor, precondition, live.into()).await?;
    let draft = DraftAfter::Replaced(next.to_store());
    let message = "pause all campaigns".to_owned();
    Ok(Some((PublishRequest { message, draft, ..request }, (campaigns, next))))
}

fn is_running(campaign: &Campaign) -> bool {
    campaign.status == CampaignStatus::Running
}

/// The live project and the draft without a campaign that runs.
fn paused(
    draft: &Draft,
    live: &RevisionDocument,
    (campaigns, author): (Vec<CampaignId>, Author),
) -> Result<(Project, Vec<CampaignId>, Draft), ActionError> {
    let mut next_live = Project::clone(&live.project);
    for campaign in live.project.campaigns.iter().filter(|one| is_running(one)) {
        let state = Conclusion::default().next(campaign, CampaignStatus::Paused)?;
        next_live = with_state(&next_live, campaign.id, &state);
    }
    let mut document = (*draft.document).clone();
    for place in all(&draft.document, ResourceKind::Campaign) {
        let campaign = &draft.project.campaigns[place.index()];
        if is_running(campaign) && campaigns.contains(&campaign.id) {
            let state = Conclusion::default().next(campaign, CampaignStatus::Paused)?;
            state.write(place.get_mut(&mut document));
        }
    }
    let checked = check_shared(&document).map_err(EditError::Invalid)?;
    Ok((next_live, campaigns, draft.next(checked, (Live::Follows, author))))
}
