//! How moments are written into columns and read back, and what publishing makes of those that are there: alike in both databases.

use domain::CampaignId;
use oauth::Timestamp;

use crate::row::Row;
use crate::stored::{project_id, project_row_id};
use crate::{KnownMoment, MomentOutcome, ScheduledAction, ScheduledMoment, StorageError};

/// A moment's columns, which together name it.
pub(crate) struct MomentKey {
    pub(crate) project: i64,
    pub(crate) campaign: i64,
    pub(crate) action: &'static str,
    pub(crate) due_at: i64,
}

impl From<ScheduledMoment> for MomentKey {
    fn from(moment: ScheduledMoment) -> Self {
        Self {
            project: project_row_id(moment.project),
            campaign: i64::try_from(moment.campaign.get()).expect("ids are below 2^53"),
            action: moment.action.as_str(),
            due_at: moment.due_at.as_milliseconds(),
        }
    }
}

impl KnownMoment {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let campaign = u64::try_from(row.column::<i64>(1)?).ok().and_then(CampaignId::new);
        let action = ScheduledAction::from_row(&row.column::<String>(2)?);
        let outcome = MomentOutcome::from_row(&row.column::<String>(4)?);
        let moment = ScheduledMoment {
            project: project_id(row.column(0)?)?,
            campaign: campaign.ok_or_else(|| StorageError::corrupt("campaign id"))?,
            action: action.ok_or_else(|| StorageError::corrupt("scheduled action"))?,
            due_at: Timestamp::from_milliseconds(row.column(3)?),
        };
        Ok(Self {
            moment,
            outcome: outcome.ok_or_else(|| StorageError::corrupt("moment's outcome"))?,
            settled_at: row.column::<Option<i64>>(5)?.map(Timestamp::from_milliseconds),
        })
    }
}

/// What publishing changes about the moments of a project.
pub(crate) struct MomentChanges {
    pub(crate) done: Vec<ScheduledMoment>,
    pub(crate) cancelled: Vec<ScheduledMoment>,
    pub(crate) added: Vec<ScheduledMoment>,
}

/// Compares the moments of a publication with those of before: those that it settles, and those that its revision has. What was done or
/// missed stays so. `None` if one that it settles is settled already.
pub(crate) fn compare(
    known: &[KnownMoment],
    settled: &[ScheduledMoment],
    wanted: &[ScheduledMoment],
) -> Option<MomentChanges> {
    let outcome = |moment: &ScheduledMoment| {
        known.iter().find(|known| known.moment == *moment).map(|known| known.outcome)
    };
    let is_due = |moment: &ScheduledMoment| outcome(moment) == Some(MomentOutcome::Due);
    if !settled.iter().all(is_due) {
        return None;
    }
    let is_new = |moment: &&ScheduledMoment| {
        matches!(outcome(moment), None | Some(MomentOutcome::Cancelled))
    };
    let is_over = |known: &&KnownMoment| {
        let moment = &known.moment;
        is_due(moment) && !wanted.contains(moment) && !settled.contains(moment)
    };
    Some(MomentChanges {
        done: settled.to_vec(),
        cancelled: known.iter().filter(is_over).map(|known| known.moment).collect(),
        added: wanted.iter().filter(is_new).copied().collect(),
    })
}
