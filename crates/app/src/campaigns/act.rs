//! A program starts, pauses, resumes, concludes, archives or restores a campaign.

use std::sync::Arc;

use domain::{
    Campaign, CampaignId, CampaignStatus, Project, ProjectId, SharedDocument, changes_that_spoil,
};
use serde_json::Value;
use storage::Precondition;

use crate::App;
use crate::campaigns::conclude::{Conclusion, NextState};
use crate::campaigns::transition::{CampaignAction, History};
use crate::documents::{CheckedProject, Live, Place, ResourceKind, check_shared, find, seen_from};
use crate::drafts::{
    Draft, Edit, EditError, EditTurn, Seen, edit_in_turn, edit_turn, editable_draft, view,
};
use crate::publishing::{
    DraftAfter, PublishRequest, RevisionDocument, publish_with_retry, read_live,
};
use crate::roles::{Author, Editor, Permission};

/// What came of it.
#[derive(Debug)]
pub struct Acted {
    /// The campaign as it is now.
    pub campaign: Value,
    /// The revision with which that went live, if visitors notice it.
    pub revision: Option<u32>,
}

/// What is to be done, by whom it is wanted in which state.
pub struct Act {
    /// What is to be done.
    pub action: CampaignAction,
    /// What else is said where a campaign is concluded.
    pub conclusion: Conclusion,
    /// Whether the editor has seen the campaign as it is.
    pub seen: Seen,
}

/// Does something to the campaign with this id, or with this key behind `key:`. What visitors notice of it goes live at once: of a
/// campaign that starts everything that it needs, of others their new state alone.
///
/// # Errors
/// See [`EditError`].
pub async fn act_on_campaign(
    app: &App,
    editor: &Editor,
    id: ProjectId,
    name: String,
    act: Act,
) -> Result<Acted, EditError> {
    let Act { action, conclusion, seen } = act;
    let is_seen =
        action.is_seen_by_visitors() || ends_shipping(app, editor, id, (action, &name)).await?;
    let permission = if is_seen { Permission::Publish } else { Permission::WriteDraft };
    let turn = edit_turn(app, editor, id, permission).await?;
    let step = Arc::new(Step { action, conclusion, name, seen });
    if !is_seen {
        return act_in_draft(app, editor, (id, &turn), step).await;
    }
    let prepare = || publication(app, editor, id, Arc::clone(&step));
    match publish_with_retry(app, prepare).await? {
        Some((live, next)) => {
            let campaign = view(&next.draft, ResourceKind::Campaign, &next.place);
            app.drafts().put(next.draft);
            Ok(Acted { campaign, revision: Some(live.revision.number) })
        }
        None => act_in_draft(app, editor, (id, &turn), step).await,
    }
}

/// What goes live with a step; `None` if visitors cannot have met the campaign.
async fn publication(
    app: &App,
    editor: &Editor,
    id: ProjectId,
    step: Arc<Step>,
) -> Result<Option<(PublishRequest, NextDraft)>, EditError> {
    let draft = editable_draft(app, editor, id).await?;
    let live = read_live(app, id, draft.head).await?;
    let history = history(live.as_deref(), &draft, &step.name);
    if history == History::New && step.action != CampaignAction::Start {
        return Ok(None);
    }
    let (precondition, action) = (Precondition::of(draft.head), step.action.word());
    let author = editor.as_author(app).await?;
    let work = move || step.take(&draft, live.as_deref(), history, author);
    let (live, next) = tokio::task::spawn_blocking(work).await??;
    let request = PublishRequest::by(app, editor, precondition, Arc::new(live)).await?;
    let request = PublishRequest {
        message: format!("{action} {}", next.campaign),
        draft: DraftAfter::Replaced(next.draft.to_store()),
        ..request
    };
    Ok(Some((request, next)))
}

/// The id of the campaign whose only experiment has this id: what is done to that experiment is done to its campaign.
///
/// # Errors
/// See [`EditError`]: also if the experiment is one of several.
pub async fn campaign_of_experiment(
    app: &App,
    editor: &Editor,
    id: ProjectId,
    name: &str,
) -> Result<String, EditError> {
    let draft = editable_draft(app, editor, id).await?;
    let place = find(&draft.document, ResourceKind::Experiment, name).ok_or(EditError::NotFound)?;
    let campaign = place.parent().ok_or(EditError::NotFound)?;
    let campaign = campaign.get(&draft.document);
    if campaign["type"] == "ab_test" {
        return Ok(campaign["id"].as_str().unwrap_or_default().to_owned());
    }
    Err(EditError::InvalidTransition {
        action: "this",
        state: "one of several experiences of a personalization, which begin and end with their campaign",
        allowed: vec!["archive", "restore"],
    })
}

/// Whether this takes a shipped winner away from visitors. That takes what it takes to stop a campaign.
async fn ends_shipping(
    app: &App,
    editor: &Editor,
    id: ProjectId,
    (action, name): (CampaignAction, &str),
) -> Result<bool, EditError> {
    if action != CampaignAction::Archive {
        return Ok(false);
    }
    let draft = editable_draft(app, editor, id).await?;
    let live = read_live(app, id, draft.head).await?;
    let found = find(&draft.document, ResourceKind::Campaign, name);
    let Some(campaign) = found.map(|place| campaign_at(&draft.project, &place)) else {
        return Ok(false);
    };
    let mut live = live.iter().flat_map(|live| &live.project.campaigns);
    let is_shipped = live.any(|one| one.id == campaign.id && one.is_shipped());
    if is_shipped && !editor.can_publish {
        return Err(EditError::NeedsPublishing);
    }
    Ok(is_shipped)
}

async fn act_in_draft(
    app: &App,
    editor: &Editor,
    (id, turn): (ProjectId, &EditTurn<'_>),
    step: Arc<Step>,
) -> Result<Acted, EditError> {
    let head = app.store().find_project(id).await?.ok_or(EditError::UnknownProject)?;
    let live = read_live(app, id, head).await?;
    let change = move |draft: &Draft| {
        let history = history(live.as_deref(), draft, &step.name);
        let (place, document, _) = step.in_document(draft, history)?;
        let word = ResourceKind::Campaign.word();
        Ok(Edit { document, changed: place.pointer(), word })
    };
    let (draft, changed) = edit_in_turn(app, editor, id, turn, change).await?;
    let place = Place::of(&changed).ok_or(EditError::NotFound)?;
    Ok(Acted { campaign: view(&draft, ResourceKind::Campaign, &place), revision: None })
}

/// What is to be done to which campaign.
struct Step {
    action: CampaignAction,
    conclusion: Conclusion,
    name: String,
    seen: Seen,
}

/// The draft after a step, and where in it the campaign stands.
struct NextDraft {
    place: Place,
    campaign: String,
    draft: Draft,
}

impl Step {
    /// What is live and the draft after the step.
    fn take(
        &self,
        draft: &Draft,
        live: Option<&RevisionDocument>,
        history: History,
        author: Author,
    ) -> Result<(Project, NextDraft), EditError> {
        let (place, document, next) = self.in_document(draft, history)?;
        let campaign = campaign_at(&draft.project, &place);
        let (id, key) = (campaign.id, campaign.key.to_string());
        let from_here = |faults| EditError::Faults(seen_from(&place.pointer(), faults));
        let (checked, live) = match live {
            // Of a campaign that was started already, the state alone changes, which breaks no rule: nothing has to be read again.
            Some(live) if self.action != CampaignAction::Start => {
                let project = with_state(&draft.project, id, &next);
                let live = with_state(&live.project, id, &next);
                if next.is_more_than_status(campaign) {
                    // What is shipped names nothing archived, and what won is live.
                    let live = check_shared(&SharedDocument::of_project(&live));
                    (check_shared(&document).map_err(from_here)?, live.map_err(from_here)?.project)
                } else {
                    (CheckedProject { project, warnings: draft.warnings.clone() }, live)
                }
            }
            live => {
                let checked = check_shared(&document).map_err(from_here)?;
                let next = live_with(live, &checked.project, id)?;
                let spoiling = live.map(|live| changes_that_spoil(&live.project, &next));
                if let Some(faults) = spoiling.filter(|faults| !faults.is_empty()) {
                    return Err(EditError::Running(seen_from(&place.pointer(), faults)));
                }
                (checked, next)
            }
        };
        let draft = draft.next(&document, checked, (Live::Follows, author));
        Ok((live, NextDraft { place, campaign: key, draft }))
    }

    /// The draft's document after the step.
    fn in_document(
        &self,
        draft: &Draft,
        history: History,
    ) -> Result<(Place, SharedDocument, NextState), EditError> {
        let place =
            find(&draft.document, ResourceKind::Campaign, &self.name).ok_or(EditError::NotFound)?;
        let current = view(draft, ResourceKind::Campaign, &place);
        if !(self.seen)(&current) {
            return Err(EditError::changed(current, None));
        }
        let campaign = campaign_at(&draft.project, &place);
        let status = campaign.status;
        // What is concluded may be shipped, and taken back, later on.
        let is_addition = self.action == CampaignAction::Conclude
            && status == CampaignStatus::Concluded
            && self.conclusion.says_something();
        let next = if is_addition { Some(status) } else { self.action.next(status, history) };
        let next = next.ok_or(EditError::InvalidTransition {
            action: self.action.word(),
            state: status.word(),
            allowed: CampaignAction::possible(status),
        })?;
        let next = self.conclusion.next(campaign, next)?;
        let mut document = (*draft.document).clone();
        next.write(place.get_mut(&mut document));
        Ok((place, document, next))
    }
}

/// Whether visitors can have taken part in the campaign with this name.
fn history(live: Option<&RevisionDocument>, draft: &Draft, name: &str) -> History {
    let id = find(&draft.document, ResourceKind::Campaign, name)
        .map(|place| campaign_at(&draft.project, &place).id);
    let live = live.into_iter().flat_map(|live| &live.project.campaigns);
    let is_live = live.into_iter().any(|campaign| Some(campaign.id) == id);
    if is_live { History::Published } else { History::New }
}

fn campaign_at<'p>(project: &'p Project, place: &Place) -> &'p Campaign {
    &project.campaigns[place.index()]
}

/// What is live with this campaign of a project, and all that it needs.
fn live_with(
    live: Option<&RevisionDocument>,
    project: &Project,
    id: CampaignId,
) -> Result<Project, EditError> {
    let live = match live {
        Some(live) => live.project.with_campaign_of(project, id),
        None => project.without_contents().with_campaign_of(project, id),
    };
    Ok(check_shared(&SharedDocument::of_project(&live)).map_err(EditError::Faults)?.project)
}

fn with_state(live: &Project, id: CampaignId, state: &NextState) -> Project {
    let mut next = live.clone();
    next.campaigns.iter_mut().filter(|campaign| campaign.id == id).for_each(|one| state.apply(one));
    next
}
