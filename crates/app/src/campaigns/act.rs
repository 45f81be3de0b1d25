//! A program starts, pauses, resumes, concludes, archives or restores a campaign.

use std::sync::Arc;

use domain::{
    Campaign, CampaignId, CampaignStatus, Project, ProjectId, SharedDocument, breaking_changes,
};
use serde_json::Value;
use storage::Precondition;

use crate::App;
use crate::campaigns::conclude::{Conclusion, NextState};
use crate::campaigns::start::with_started;
use crate::campaigns::target::Target;
use crate::campaigns::transition::{CampaignAction, History};
use crate::computation::compute;
use crate::documents::{Live, ResourceKind, ResourcePath, check_shared, seen_from};
use crate::drafts::{
    Draft, Edit, EditError, EditTurn, ExpectedVersion, ReadError, edit_in_turn, edit_turn,
    editable_draft,
};
use crate::publishing::{
    DraftAfter, PublishRequest, RevisionDocument, publish_with_retry, read_live,
};
use crate::resources::ActionError;
use crate::roles::{Actor, Author, Permission};

/// What the action did.
#[derive(Debug)]
pub struct Acted {
    /// The campaign, or the experiment, as it is now.
    pub resource: Value,
    /// The revision that made it live, if visitors notice the action.
    pub revision: Option<u32>,
}

/// An action, its target, and its precondition.
pub struct Act {
    /// The action.
    pub action: CampaignAction,
    /// The target.
    pub target: Target,
    /// The winner and shipping, when a campaign is concluded.
    pub conclusion: Conclusion,
    /// Whether the target is still as the actor saw it.
    pub expected: ExpectedVersion,
}

/// Acts on a campaign. What visitors notice goes live at once: for a campaign that starts, all that it needs and that is not live yet; for
/// others, only their new state.
///
/// # Errors
/// See [`ActionError`].
pub async fn act_on_campaign(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    act: Act,
) -> Result<Acted, ActionError> {
    let is_seen = act.action.is_seen_by_visitors() || ends_shipping(app, actor, id, &act).await?;
    let permission = if is_seen { Permission::Publish } else { Permission::WriteDraft };
    let turn = edit_turn(app, actor, id, permission).await?;
    let act = Arc::new(act);
    if !is_seen {
        return act_in_draft(app, actor, (id, &turn), act).await;
    }
    let prepare = || publication(app, actor, (id, &turn), Arc::clone(&act));
    match publish_with_retry(app, prepare).await? {
        Some((live, next)) => {
            let resource = act.target.view(&next)?;
            app.caches().drafts.put(next);
            Ok(Acted { resource, revision: Some(live.line.number) })
        }
        None => act_in_draft(app, actor, (id, &turn), act).await,
    }
}

/// What goes live, and the new draft; `None` if visitors cannot have met the campaign.
async fn publication(
    app: &App,
    actor: &Actor,
    (id, turn): (ProjectId, &EditTurn<'_>),
    act: Arc<Act>,
) -> Result<Option<(PublishRequest, Draft)>, ActionError> {
    let draft = editable_draft(app, actor, id, turn.permission()).await?;
    let live = read_live(app, id, draft.head).await?;
    act.refuse_if_archived(&draft, live.as_deref())?;
    let history = history(live.as_deref(), &draft, &act.target);
    if history == History::New && act.action != CampaignAction::Start {
        return Ok(None);
    }
    let path = act.target.campaign(&draft)?;
    let campaign = campaign_at(&draft.project, &path);
    let mut campaigns = live.iter().flat_map(|live| &live.project.campaigns);
    if let Some(before) = campaigns.find(|before| before.id == campaign.id) {
        act.conclusion.check_phases(before, campaign)?;
    }
    let message = format!("{} {}", act.action.word(), campaign.key);
    let precondition = Precondition::of(draft.head);
    let author = actor.as_author(app).await?;
    let work = move || act.take(&draft, live.as_deref(), history, author);
    let (live, next) = compute("act_on_campaign", work).await??;
    let request = PublishRequest::by(app, actor, precondition, Arc::new(live)).await?;
    let draft = DraftAfter::Replaced(next.to_store());
    Ok(Some((PublishRequest { message, draft, ..request }, next)))
}

/// Whether the action takes a shipped winner away from visitors. That needs the same right as stopping a campaign.
async fn ends_shipping(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    act: &Act,
) -> Result<bool, ActionError> {
    if act.action != CampaignAction::Archive {
        return Ok(false);
    }
    let draft = editable_draft(app, actor, id, Permission::WriteDraft).await?;
    let live = read_live(app, id, draft.head).await?;
    let campaign = campaign_at(&draft.project, &act.target.campaign(&draft)?);
    let mut live = live.iter().flat_map(|live| &live.project.campaigns);
    Ok(live.any(|one| one.id == campaign.id && one.is_shipped()))
}

async fn act_in_draft(
    app: &App,
    actor: &Actor,
    (id, turn): (ProjectId, &EditTurn<'_>),
    act: Arc<Act>,
) -> Result<Acted, ActionError> {
    let head = app.store().find_project(id).await?.ok_or(ReadError::UnknownProject)?;
    let live = read_live(app, id, head).await?;
    let step = Arc::clone(&act);
    let change = move |draft: &Draft| {
        let history = history(live.as_deref(), draft, &step.target);
        let (path, document, _) = step.in_document(draft, history)?;
        let word = ResourceKind::Campaign.word();
        Ok::<_, ActionError>(Edit { document, changed: path.pointer(), word })
    };
    let (draft, _) = edit_in_turn(app, actor, id, turn, change).await?;
    Ok(Acted { resource: act.target.view(&draft)?, revision: None })
}

impl Act {
    /// Nothing runs in an archived project, whatever its campaigns say: none starts there. One that is restored in the draft is to be published
    /// first, and until then what should not run any more can be stopped.
    fn refuse_if_archived(
        &self,
        draft: &Draft,
        live: Option<&RevisionDocument>,
    ) -> Result<(), EditError> {
        draft.refuse_if_archived()?;
        let is_live_archived = live.is_some_and(|live| live.project.archived);
        match self.action {
            CampaignAction::Start | CampaignAction::Resume if is_live_archived => {
                Err(EditError::Archived)
            }
            CampaignAction::Start
            | CampaignAction::Pause
            | CampaignAction::Resume
            | CampaignAction::Conclude
            | CampaignAction::Archive
            | CampaignAction::Restore => Ok(()),
        }
    }

    /// The live project and the draft after the action.
    fn take(
        &self,
        draft: &Draft,
        live: Option<&RevisionDocument>,
        history: History,
        author: Author,
    ) -> Result<(Project, Draft), ActionError> {
        let (path, document, next) = self.in_document(draft, history)?;
        let campaign = campaign_at(&draft.project, &path);
        let id = campaign.id;
        let from_here = |faults| EditError::Invalid(seen_from(&path.pointer(), faults));
        let (checked, live) = match live {
            // For a campaign that was started before, only the state changes.
            Some(live) if self.action != CampaignAction::Start => {
                // What is doubtful depends on what runs.
                let checked = check_shared(&document).map_err(from_here)?;
                let live = with_state(&live.project, id, &next);
                if next.is_more_than_status(campaign) {
                    // A shipped campaign references nothing archived, and its winner is live.
                    let live = check_shared(&SharedDocument::of_project(&live));
                    (checked, live.map_err(from_here)?.project)
                } else {
                    (checked, live)
                }
            }
            live => {
                let checked = check_shared(&document).map_err(from_here)?;
                let next = with_started(live, &checked.project, id)?;
                let breaking = live.map(|live| breaking_changes(&live.project, &next));
                if let Some(faults) = breaking.filter(|faults| !faults.is_empty()) {
                    let faults = seen_from(&path.pointer(), faults);
                    return Err(EditError::Breaking(faults).into());
                }
                (checked, next)
            }
        };
        Ok((live, draft.next(checked, (Live::Follows, author))))
    }

    /// The draft's document after the action.
    fn in_document(
        &self,
        draft: &Draft,
        history: History,
    ) -> Result<(ResourcePath, SharedDocument, NextState), ActionError> {
        let path = self.target.campaign(draft)?;
        let current = self.target.view(draft)?;
        self.expected.check(&current)?;
        let campaign = campaign_at(&draft.project, &path);
        let status = campaign.status;
        // A concluded campaign may be shipped, and unshipped, later.
        let is_addition = self.action == CampaignAction::Conclude
            && status == CampaignStatus::Concluded
            && self.conclusion.says_something();
        let next = if is_addition { Some(status) } else { self.action.next(status, history) };
        let next = next.ok_or(ActionError::InvalidTransition {
            action: self.action.word(),
            state: status.word(),
            allowed: CampaignAction::possible(status)
                .into_iter()
                .map(CampaignAction::word)
                .collect(),
        })?;
        let next = self.conclusion.next(campaign, next)?;
        let mut document = (*draft.document).clone();
        next.write(path.get_mut(&mut document));
        Ok((path, document, next))
    }
}

/// Whether visitors can have taken part in the campaign.
fn history(live: Option<&RevisionDocument>, draft: &Draft, target: &Target) -> History {
    let id = target.campaign(draft).ok().map(|path| campaign_at(&draft.project, &path).id);
    let live = live.into_iter().flat_map(|live| &live.project.campaigns);
    let is_live = live.into_iter().any(|campaign| Some(campaign.id) == id);
    if is_live { History::Published } else { History::New }
}

fn campaign_at<'p>(project: &'p Project, path: &ResourcePath) -> &'p Campaign {
    &project.campaigns[path.index()]
}

/// The live project with another state of a campaign.
fn with_state(live: &Project, id: CampaignId, state: &NextState) -> Project {
    let mut next = live.clone();
    if let Some(campaign) = next.campaign_mut(id) {
        state.apply(campaign);
    }
    next
}
