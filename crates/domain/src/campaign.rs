//! Campaigns: the containers of experiments.

use crate::words::words;
use crate::{BasisPoints, CampaignId, Change, Experiment, ExperimentId, Key, PageId, Schedule};

/// A container of experiments that run on the same pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign {
    /// Names the campaign for programs; part of what the holdback is drawn from.
    pub id: CampaignId,
    /// Names the campaign in documents.
    pub key: Key,
    /// What people call the campaign.
    pub name: Option<String>,
    /// What it is about, in the members' words.
    pub description: Option<String>,
    /// Words that members find it by; none twice.
    pub tags: Vec<String>,
    /// What members expect of it, and why.
    pub hypothesis: Option<String>,
    /// Who answers for it: a person or a team, in the members' words.
    pub owner: Option<String>,
    /// An A/B test, or a personalization.
    pub kind: CampaignKind,
    /// Where it is in its life; only running and shipped campaigns are compiled in.
    pub status: CampaignStatus,
    /// Whether everybody it is for gets the winners of its experiments, now that it is concluded.
    pub shipped: bool,
    /// When it starts and stops by itself.
    pub schedule: Option<Schedule>,
    /// Where it runs.
    pub pages: Vec<PageId>,
    /// Share of visitors who are bucketed but shown nothing.
    pub holdback: BasisPoints,
    /// Groups of equally important experiments, most important group first; every experiment that
    /// has a place is in one group.
    pub priorities: Vec<Vec<ExperimentId>>,
    /// Changes shared by all variations.
    pub changes: Vec<Change>,
    /// What visitors are bucketed into; an A/B test has exactly one.
    pub experiments: Vec<Experiment>,
}

impl Campaign {
    /// Whether visitors get it, as long as its project is not archived.
    #[must_use]
    pub fn is_served(&self) -> bool {
        self.status == CampaignStatus::Running || self.is_shipped()
    }

    /// Whether everybody it is for gets its winners.
    #[must_use]
    pub fn is_shipped(&self) -> bool {
        self.shipped && self.status == CampaignStatus::Concluded
    }

    /// What people call it: its name, or its key.
    #[must_use]
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(self.key.as_str())
    }
}

words! {
    /// How a campaign chooses what a visitor sees.
    pub enum CampaignKind {
        /// One experiment whose variations are compared.
        AbTest = "ab_test",
        /// Experiences for different audiences.
        Personalization = "personalization",
    }
}

words! {
    /// Where a campaign is in its life.
    pub enum CampaignStatus {
        /// Being prepared.
        NotStarted = "not_started",
        /// Live.
        Running = "running",
        /// Interrupted; may go on.
        Paused = "paused",
        /// Finished.
        Concluded = "concluded",
        /// Archived.
        Archived = "archived",
    }
}
