//! Scheduled starts and stops of campaigns: their moments, and the outcome of each.
//!
//! Publishing a revision says which moments are due from then on, and may settle some: so of several processes one acts on a moment, and
//! no other.

use std::fmt;

use async_trait::async_trait;
use domain::{CampaignId, ProjectId};
use oauth::Timestamp;

use crate::{Announcement, StorageError};

/// Part of a [`Store`](crate::Store): scheduled moments.
#[async_trait]
pub trait ScheduleStore: Send + Sync {
    /// The moment that is due first, past or future.
    async fn next_moment(&self) -> Result<Option<ScheduledMoment>, StorageError>;

    /// All moments that were due by then and are not settled, the earliest first: those that wait must hide none that does not.
    async fn due_moments(&self, now: Timestamp) -> Result<Vec<ScheduledMoment>, StorageError>;

    /// What became of the moments of a project, the earliest first.
    async fn list_moments(&self, project: ProjectId) -> Result<Vec<KnownMoment>, StorageError>;

    /// Settles moments as missed, but for those that another process has settled; returns which. In the same commit, each is announced as told.
    async fn miss_moments(
        &self,
        moments: Vec<(ScheduledMoment, Option<Announcement>)>,
        now: Timestamp,
    ) -> Result<Vec<ScheduledMoment>, StorageError>;
}

/// A moment at which a campaign starts or stops by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScheduledMoment {
    /// The project.
    pub project: ProjectId,
    /// Its campaign.
    pub campaign: CampaignId,
    /// What happens.
    pub action: ScheduledAction,
    /// When.
    pub due_at: Timestamp,
}

/// What a campaign does by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScheduledAction {
    /// It begins to run.
    Start,
    /// It is concluded.
    Stop,
}

/// A moment, and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownMoment {
    /// The moment.
    pub moment: ScheduledMoment,
    /// What became of it.
    pub outcome: MomentOutcome,
    /// Since when that is so; `None` while it is due.
    pub settled_at: Option<Timestamp>,
}

/// What became of a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MomentOutcome {
    /// Nothing yet.
    Due,
    /// What it says was done.
    Done,
    /// No server was running in time.
    Missed,
    /// A revision was published that does not have it.
    Cancelled,
}

impl ScheduledAction {
    /// The action as programs spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Stop => "stop",
        }
    }

    pub(crate) fn from_row(text: &str) -> Option<Self> {
        [Self::Start, Self::Stop].into_iter().find(|action| action.as_str() == text)
    }
}

impl MomentOutcome {
    /// The outcome as programs spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Due => "due",
            Self::Done => "done",
            Self::Missed => "missed",
            Self::Cancelled => "cancelled",
        }
    }

    pub(crate) fn from_row(text: &str) -> Option<Self> {
        let all = [Self::Due, Self::Done, Self::Missed, Self::Cancelled];
        all.into_iter().find(|outcome| outcome.as_str() == text)
    }
}

/// What is to be done, without the time: `start campaign 3001 of project 1000`.
impl fmt::Display for ScheduledMoment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { project, campaign, action, .. } = self;
        write!(formatter, "{} campaign {campaign} of project {project}", action.as_str())
    }
}
