//! The moments that a project's schedules name, and how each one changes the project.

use std::sync::Arc;

use domain::{Campaign, CampaignStatus, Project};
use oauth::Timestamp;
use storage::{KnownMoment, MomentOutcome, ScheduledAction, ScheduledMoment};

/// The moments still to come for this project: those that would change the status of a campaign. An archived project has none.
pub(crate) fn moments_of(project: &Project) -> Vec<ScheduledMoment> {
    let campaigns = if project.archived { &[][..] } else { &project.campaigns[..] };
    let actions = |campaign: &Campaign| match campaign.status {
        CampaignStatus::NotStarted if at(campaign, ScheduledAction::Start).is_some() => {
            &[ScheduledAction::Start, ScheduledAction::Stop][..]
        }
        CampaignStatus::Running | CampaignStatus::Paused => &[ScheduledAction::Stop],
        CampaignStatus::NotStarted | CampaignStatus::Concluded | CampaignStatus::Archived => &[],
    };
    let moments = campaigns.iter().flat_map(|campaign| {
        actions(campaign).iter().filter_map(|action| {
            let due_at = at(campaign, *action)?;
            Some(ScheduledMoment {
                project: project.id,
                campaign: campaign.id,
                action: *action,
                due_at,
            })
        })
    });
    moments.collect()
}

/// Applies the moments already done to a project; returns whether anything changed.
pub(crate) fn apply_done(project: &mut Project, known: &[KnownMoment]) -> bool {
    let project_id = project.id;
    let mut is_changed = false;
    for campaign in &mut project.campaigns {
        for action in [ScheduledAction::Start, ScheduledAction::Stop] {
            let Some(due_at) = at(campaign, action) else { continue };
            let moment =
                ScheduledMoment { project: project_id, campaign: campaign.id, action, due_at };
            let is_done = |known: &KnownMoment| {
                known.moment == moment && known.outcome == MomentOutcome::Done
            };
            if known.iter().any(is_done) {
                is_changed |= act(Arc::make_mut(campaign), action);
            }
        }
    }
    is_changed
}

/// Applies a moment; returns whether anything changed.
pub(crate) fn apply(project: &mut Project, moment: &ScheduledMoment) -> bool {
    project.campaign_mut(moment.campaign).is_some_and(|campaign| act(campaign, moment.action))
}

fn act(campaign: &mut Campaign, action: ScheduledAction) -> bool {
    let next = match (action, campaign.status) {
        (ScheduledAction::Start, CampaignStatus::NotStarted) => CampaignStatus::Running,
        (ScheduledAction::Stop, CampaignStatus::Running | CampaignStatus::Paused) => {
            CampaignStatus::Concluded
        }
        (
            ScheduledAction::Start,
            CampaignStatus::Running
            | CampaignStatus::Paused
            | CampaignStatus::Concluded
            | CampaignStatus::Archived,
        )
        | (
            ScheduledAction::Stop,
            CampaignStatus::NotStarted | CampaignStatus::Concluded | CampaignStatus::Archived,
        ) => return false,
    };
    campaign.status = next;
    true
}

/// When a campaign's schedule says that this is to happen.
pub(super) fn at(campaign: &Campaign, action: ScheduledAction) -> Option<Timestamp> {
    let schedule = campaign.schedule.as_ref()?;
    let moment = match action {
        ScheduledAction::Start => schedule.start_at(),
        ScheduledAction::Stop => schedule.stop_at(),
    };
    moment.map(|moment| Timestamp::from_milliseconds(moment.as_millisecond()))
}
