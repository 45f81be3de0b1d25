//! Campaigns: the containers of experiments.

use crate::words::words;
use crate::{
    BasisPoints, CampaignId, CampaignMetrics, Change, Experiment, ExperimentId, Key, PageId, Plan,
    Schedule,
};

/// A container of experiments that run on the same pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign {
    /// Names the campaign for programs; the holdback's bucketing depends on it.
    pub id: CampaignId,
    /// Names the campaign in documents.
    pub key: Key,
    /// The campaign's display name.
    pub name: Option<String>,
    /// Describes the campaign, in the members' words.
    pub description: Option<String>,
    /// Words by which members find it, without duplicates.
    pub tags: Vec<String>,
    /// What members expect of it, and why.
    pub hypothesis: Option<String>,
    /// The person or team responsible for it, in the members' words.
    pub owner: Option<String>,
    /// An A/B test, or a personalization.
    pub kind: CampaignKind,
    /// Its stage of life; the compiler includes only running and shipped campaigns.
    pub status: CampaignStatus,
    /// Whether every visitor it targets gets the winners of its experiments, now that it is concluded.
    pub shipped: bool,
    /// When it starts and stops automatically.
    pub schedule: Option<Schedule>,
    /// The pages on which it runs.
    pub pages: Vec<PageId>,
    /// Share of visitors who are bucketed but shown nothing.
    pub holdback: BasisPoints,
    /// Groups of equally important experiments, most important group first; each ranked experiment is in one group.
    pub priorities: Vec<Vec<ExperimentId>>,
    /// Changes shared by all variations.
    pub changes: Vec<Change>,
    /// What it is measured by.
    pub metrics: CampaignMetrics,
    /// Which effect it is to find, and until when.
    pub plan: Option<Plan>,
    /// What visitors are bucketed into; an A/B test has exactly one.
    pub experiments: Vec<Experiment>,
}

impl Campaign {
    /// Whether visitors get it, unless its project is archived.
    #[must_use]
    pub fn is_served(&self) -> bool {
        self.status == CampaignStatus::Running || self.is_shipped()
    }

    /// Whether every visitor it targets gets its winners.
    #[must_use]
    pub fn is_shipped(&self) -> bool {
        self.shipped && self.status == CampaignStatus::Concluded
    }

    /// Its display name: the name, or else the key.
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
    /// A campaign's stage of life.
    pub enum CampaignStatus {
        /// Members prepare it.
        NotStarted = "not_started",
        /// Live.
        Running = "running",
        /// Interrupted; it may resume.
        Paused = "paused",
        /// Finished.
        Concluded = "concluded",
        /// Archived.
        Archived = "archived",
    }
}
