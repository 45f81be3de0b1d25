//! A member stops a site in an emergency: whatever runs is paused, or whatever starts by its schedule does not, at once and in one revision.
//! What else the draft has stays unpublished.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::{Campaign, CampaignId, Project, ProjectId, SharedDocument};
use serde_json::Value;
use storage::{Precondition, StorageError};

use crate::App;
use crate::campaigns::pause_all::{pause, pause_in_draft, running_campaigns};
use crate::campaigns::scheduled_starts::{
    ScheduledStart, scheduled_starts, starts_of, unschedule, unschedule_in_draft,
};
use crate::computation::compute;
use crate::documents::{Live, ResourceKind, all, check_shared};
use crate::drafts::{Draft, EditError, EditTurn, edit_turn, editable_draft};
use crate::publishing::{
    DraftAfter, PublishRequest, RevisionDocument, publish_with_retry, read_live,
};
use crate::resources::ActionError;
use crate::roles::{Actor, Author, Permission};

/// What is done to all live campaigns that it concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CampaignsAction {
    /// Those that run are paused. A winner that is shipped stays: it is no campaign that runs.
    Pause,
    /// The starts that are still to come are taken out of the schedules. Stops stay.
    Unschedule,
}

/// What became of a project's campaigns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActedOnCampaigns {
    /// Those that the action concerned, in the order of the document.
    pub campaigns: Vec<CampaignId>,
    /// The revision that made it live; `None` if it concerned none.
    pub revision: Option<u32>,
    /// The starts that are still to come.
    pub scheduled_starts: Vec<ScheduledStart>,
}

/// Acts on all live campaigns that the action concerns, and on the same campaigns of the draft.
///
/// # Errors
/// See [`ActionError`].
pub async fn act_on_all_campaigns(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    action: CampaignsAction,
) -> Result<ActedOnCampaigns, ActionError> {
    let turn = edit_turn(app, actor, id, Permission::Publish).await?;
    let prepare = || publication(app, actor, (id, &turn), action);
    let (campaigns, revision) = match publish_with_retry(app, prepare).await? {
        Some((live, (campaigns, next))) => {
            app.caches().drafts.put(next);
            (campaigns, Some(live.line.number))
        }
        None => (Vec::new(), None),
    };
    // It is done, whatever else cannot be read.
    let scheduled_starts = scheduled_starts(app, id).await.unwrap_or_default();
    Ok(ActedOnCampaigns { campaigns, revision, scheduled_starts })
}

/// What goes live, the campaigns that it changes, and the new draft; `None` if it changes none.
async fn publication(
    app: &App,
    actor: &Actor,
    (id, turn): (ProjectId, &EditTurn<'_>),
    action: CampaignsAction,
) -> Result<Option<(PublishRequest, (Vec<CampaignId>, Draft))>, ActionError> {
    let draft = editable_draft(app, actor, id, turn.permission()).await?;
    let Some(live) = read_live(app, id, draft.head).await? else { return Ok(None) };
    if live.project.archived {
        return Err(EditError::Archived.into());
    }
    let campaigns = action.concerned(app, &live.project).await?;
    if campaigns.is_empty() {
        return Ok(None);
    }
    let precondition = Precondition::of(draft.head);
    let author = actor.as_author(app).await?;
    let work = move || acted(action, &draft, &live, (campaigns, author));
    let (live, campaigns, next) = compute("act_on_all_campaigns", work).await??;
    let request = PublishRequest::by(app, actor, precondition, live.into()).await?;
    let draft = DraftAfter::Replaced(next.to_store());
    let message = action.message().to_owned();
    Ok(Some((PublishRequest { message, draft, ..request }, (campaigns, next))))
}

/// The live project and the draft after the action.
fn acted(
    action: CampaignsAction,
    draft: &Draft,
    live: &RevisionDocument,
    (campaigns, author): (Vec<CampaignId>, Author),
) -> Result<(Project, Vec<CampaignId>, Draft), ActionError> {
    let concerned: HashSet<CampaignId> = campaigns.iter().copied().collect();
    let was_live = live.project.campaigns.iter().filter(|one| concerned.contains(&one.id));
    let was_live: HashMap<CampaignId, &Campaign> =
        was_live.map(|campaign| (campaign.id, &**campaign)).collect();
    let mut next_live = Project::clone(&live.project);
    for campaign in next_live.campaigns.iter_mut().filter(|one| was_live.contains_key(&one.id)) {
        action.apply(Arc::make_mut(campaign))?;
    }
    let mut document = SharedDocument::clone(&draft.document);
    for path in all(&draft.document, ResourceKind::Campaign) {
        let campaign = &draft.project.campaigns[path.index()];
        if let Some(was_live) = was_live.get(&campaign.id) {
            action.write((was_live, campaign), path.get_mut(&mut document))?;
        }
    }
    let checked = check_shared(&document).map_err(EditError::Invalid)?;
    Ok((next_live, campaigns, draft.next(checked, (Live::Follows, author))))
}

impl CampaignsAction {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Pause, Self::Unschedule];

    /// The action as programs spell it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Unschedule => "unschedule",
        }
    }

    /// The message of its revision.
    const fn message(self) -> &'static str {
        match self {
            Self::Pause => "pause all campaigns",
            Self::Unschedule => "take back all scheduled starts",
        }
    }

    /// The live campaigns that it changes.
    async fn concerned(self, app: &App, live: &Project) -> Result<Vec<CampaignId>, StorageError> {
        match self {
            Self::Pause => Ok(running_campaigns(live).map(|campaign| campaign.id).collect()),
            Self::Unschedule => {
                let starting: HashSet<CampaignId> =
                    starts_of(app, live).await?.into_iter().map(|start| start.campaign).collect();
                let campaigns = live.campaigns.iter().map(|campaign| campaign.id);
                Ok(campaigns.filter(|id| starting.contains(id)).collect())
            }
        }
    }

    /// Applies it to a live campaign.
    fn apply(self, campaign: &mut Campaign) -> Result<(), EditError> {
        match self {
            Self::Pause => pause(campaign),
            Self::Unschedule => {
                unschedule(campaign);
                Ok(())
            }
        }
    }

    /// Writes it into the draft's document, for a campaign as it was live and as the draft has it.
    fn write(
        self,
        (was_live, campaign): (&Campaign, &Campaign),
        document: &mut Value,
    ) -> Result<(), EditError> {
        match self {
            Self::Pause => pause_in_draft(campaign, document),
            Self::Unschedule => {
                unschedule_in_draft((was_live, campaign), document);
                Ok(())
            }
        }
    }
}
