//! The starts of live campaigns that are still to come, and how they are taken back, as
//! [`CampaignsAction::Unschedule`](crate::campaigns::CampaignsAction::Unschedule) does it.

use domain::{Campaign, CampaignId, Project, ProjectId, Schedule};
use oauth::Timestamp;
use serde_json::Value;
use storage::{KnownMoment, MomentOutcome, ScheduledAction, StorageError};

use crate::App;
use crate::drafts::{ReadError, open_draft, readable_draft};
use crate::publishing::read_live;
use crate::roles::Actor;

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

pub(super) async fn scheduled_starts(
    app: &App,
    id: ProjectId,
) -> Result<Vec<ScheduledStart>, StorageError> {
    let Some(draft) = open_draft(app, id).await? else { return Ok(Vec::new()) };
    let Some(live) = read_live(app, id, draft.head).await? else { return Ok(Vec::new()) };
    starts_of(app, &live.project).await
}

/// The starts of a live project that are still to come. One that is due in this moment is among them until a server has carried it out:
/// that publishes a revision, as does taking it back, and the store accepts only the first of the two.
pub(super) async fn starts_of(
    app: &App,
    live: &Project,
) -> Result<Vec<ScheduledStart>, StorageError> {
    let known = app.store().list_moments(live.id).await?;
    let start = |known: &KnownMoment| {
        let moment = known.moment;
        let is_to_come =
            known.outcome == MomentOutcome::Due && moment.action == ScheduledAction::Start;
        let campaign = live.campaign(moment.campaign).filter(|_| is_to_come)?;
        let title = campaign.title().to_owned();
        Some(ScheduledStart { campaign: campaign.id, title, starts_at: moment.due_at })
    };
    Ok(known.iter().filter_map(start).collect())
}

/// Takes the start out of the schedule of a live campaign.
pub(super) fn unschedule(campaign: &mut Campaign) {
    campaign.schedule = campaign.schedule.take().and_then(|schedule| {
        schedule.stop.is_some().then_some(Schedule { start: None, ..schedule })
    });
}

/// Takes the start out of the schedule that the draft's document has, if it is the moment that was live. Another one is unpublished work.
pub(super) fn unschedule_in_draft(
    (was_live, campaign): (&Campaign, &Campaign),
    document: &mut Value,
) {
    let start_of = |campaign: &Campaign| campaign.schedule.as_ref()?.start_at();
    if start_of(campaign) != start_of(was_live) {
        return;
    }
    let schedule = &mut document["schedule"];
    if schedule["stop"].is_null() {
        *schedule = Value::Null;
    } else {
        schedule["start"] = Value::Null;
    }
}
