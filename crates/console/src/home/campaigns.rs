//! The campaigns of a project in a table.

use domain::{CampaignId, Project};

use crate::projects::{kind_words, status_words};

/// Campaigns in the table; the others are counted.
const CAMPAIGNS_SHOWN: usize = 100;

pub(super) struct CampaignRows<'a> {
    pub(super) rows: Vec<CampaignRow<'a>>,
    /// How many more there are.
    pub(super) more: usize,
}

pub(super) struct CampaignRow<'a> {
    pub(super) id: CampaignId,
    pub(super) name: &'a str,
    pub(super) status: &'static str,
    pub(super) status_words: String,
    pub(super) kind: &'a str,
    pub(super) experiments: usize,
    pub(super) variations: usize,
}

impl<'a> CampaignRows<'a> {
    pub(super) fn of(project: &'a Project) -> Self {
        let rows = project.campaigns.iter().take(CAMPAIGNS_SHOWN).map(|campaign| CampaignRow {
            id: campaign.id,
            name: campaign.title(),
            status: campaign.status.word(),
            status_words: status_words(campaign.status.word()),
            kind: kind_words(campaign.kind.word()),
            experiments: campaign.experiments.len(),
            variations: campaign.experiments.iter().map(|one| one.variations.len()).sum(),
        });
        Self { rows: rows.collect(), more: project.campaigns.len().saturating_sub(CAMPAIGNS_SHOWN) }
    }
}
