//! What starts and stops when in a project: what became of published moments, and what the draft would add.

use std::collections::{HashMap, HashSet};

use domain::{Campaign, CampaignId, ProjectId};
use oauth::Timestamp;
use storage::{MomentOutcome, ScheduledAction, ScheduledMoment};

use crate::App;
use crate::documents::moments_of;
use crate::drafts::{ReadError, readable_draft};
use crate::roles::Actor;

/// Moments in an answer; of more, those due last. A member cannot look through more, and ten thousand campaigns may have two each.
const MOMENTS_AT_MOST: usize = 1_000;

/// A moment at which a campaign starts or stops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedMoment {
    /// The campaign.
    pub campaign: CampaignId,
    /// Its name or key; its id, if the draft does not have it any more.
    pub title: String,
    /// What happens.
    pub action: ScheduledAction,
    /// When.
    pub due_at: Timestamp,
    /// The same as the schedule in the draft says it: `2026-12-01T09:00` and `Europe/Berlin`.
    pub local: Option<(String, String)>,
    /// What became of it.
    pub state: PlannedState,
}

/// What became of a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlannedState {
    /// Only the draft has it: it counts from the publication on.
    Unpublished,
    /// It is published.
    Published(MomentOutcome),
}

impl PlannedState {
    /// The state as programs spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unpublished => "unpublished",
            Self::Published(outcome) => outcome.as_str(),
        }
    }

    /// Whether it is still to come.
    #[must_use]
    pub const fn is_to_come(self) -> bool {
        matches!(self, Self::Unpublished | Self::Published(MomentOutcome::Due))
    }
}

/// The moments of project `id` in the order of time.
///
/// # Errors
/// [`ReadError::UnknownProject`], [`ReadError::Role`] or [`ReadError::Storage`].
pub async fn list_planned_moments(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<Vec<PlannedMoment>, ReadError> {
    let draft = readable_draft(app, actor, id).await?;
    let known = app.store().list_moments(id).await?;
    let campaigns: HashMap<CampaignId, &Campaign> =
        draft.project.campaigns.iter().map(|campaign| (campaign.id, &**campaign)).collect();
    let published: HashSet<ScheduledMoment> = known
        .iter()
        .filter(|known| known.outcome != MomentOutcome::Cancelled)
        .map(|known| known.moment)
        .collect();
    let of_draft = moments_of(&draft.project).into_iter();
    let of_draft = of_draft.filter(|moment| !published.contains(moment));
    let of_draft = of_draft.map(|moment| (moment, PlannedState::Unpublished));
    let known = known.iter().map(|known| (known.moment, PlannedState::Published(known.outcome)));
    let mut moments: Vec<_> = known
        .chain(of_draft)
        .map(|(moment, state)| planned(moment, state, campaigns.get(&moment.campaign).copied()))
        .collect();
    moments.sort_by_key(|moment| (moment.due_at, moment.campaign));
    Ok(moments.split_off(moments.len().saturating_sub(MOMENTS_AT_MOST)))
}

fn planned(
    ScheduledMoment { campaign: id, action, due_at, .. }: ScheduledMoment,
    state: PlannedState,
    campaign: Option<&Campaign>,
) -> PlannedMoment {
    let schedule = campaign.and_then(|campaign| campaign.schedule.as_ref());
    let local = schedule.and_then(|schedule| {
        let (minute, at) = match action {
            ScheduledAction::Start => (schedule.start?, schedule.start_at()?),
            ScheduledAction::Stop => (schedule.stop?, schedule.stop_at()?),
        };
        let is_same = at.as_millisecond() == due_at.as_milliseconds();
        is_same.then(|| (minute.to_string(), schedule.time_zone.to_string()))
    });
    let title = campaign.map_or_else(|| id.to_string(), |campaign| campaign.title().to_owned());
    PlannedMoment { campaign: id, title, action, due_at, local, state }
}
