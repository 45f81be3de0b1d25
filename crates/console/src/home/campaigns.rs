//! The campaigns of a project in a table: what runs comes first, and what is archived is on the page of all campaigns.

use domain::{Campaign, CampaignId, CampaignStatus, Project};

use crate::words::{kind_words, status_words};

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
    /// Whether the draft has it started, so that there may be results.
    pub(super) has_started: bool,
}

impl<'a> CampaignRows<'a> {
    pub(super) fn of(project: &'a Project) -> Self {
        let campaigns = project.campaigns.iter().map(|campaign| &**campaign);
        let mut shown: Vec<&Campaign> =
            campaigns.filter(|one| one.status != CampaignStatus::Archived).collect();
        shown.sort_by_key(|one| place_of(one.status));
        shown.truncate(CAMPAIGNS_SHOWN);
        let more = project.campaigns.len() - shown.len();
        let rows = shown.into_iter().map(|campaign| CampaignRow {
            id: campaign.id,
            name: campaign.title(),
            status: campaign.status.word(),
            status_words: status_words(campaign.status.word()),
            kind: kind_words(campaign.kind.word()),
            experiments: campaign.experiments.len(),
            variations: campaign.experiments.iter().map(|one| one.variations.len()).sum(),
            has_started: campaign.status != CampaignStatus::NotStarted,
        });
        Self { rows: rows.collect(), more }
    }
}

/// Where campaigns of a status stand among the others.
fn place_of(status: CampaignStatus) -> usize {
    match status {
        CampaignStatus::Running => 0,
        CampaignStatus::Paused => 1,
        CampaignStatus::NotStarted => 2,
        CampaignStatus::Concluded => 3,
        CampaignStatus::Archived => 4,
    }
}

#[cfg(test)]
mod tests {
    use domain::{NoFiles, Source, parse};

    use super::CampaignRows;

    #[test]
    fn what_runs_comes_first_and_archived_campaigns_are_counted() {
        let statuses = ["archived", "concluded", "running", "not_started", "paused", "running"];
        let campaign = |(number, status): (usize, &str)| {
            format!(
                "  - {{key: c{number}, type: ab_test, status: {status}, pages: [home], experiments: [{{key: e{number}, variations: [{{key: original, weight: 1}}, {{key: short, weight: 1}}]}}]}}\n"
            )
        };
        let campaigns: String = statuses.into_iter().enumerate().map(campaign).collect();
        let text = format!(
            "version: 1\nproject: {{key: shop}}\npages: [{{key: home}}]\ncampaigns:\n{campaigns}"
        );
        let source = Source { name: "shop.yaml", text: &text, files: &NoFiles };
        let project = parse(&source).unwrap().project;

        let CampaignRows { rows, more } = CampaignRows::of(&project);

        let names: Vec<_> = rows.iter().map(|row| row.name).collect();
        assert_eq!((names, more), (vec!["c2", "c5", "c4", "c3", "c1"], 1));
    }
}
