//! What would keep a campaign from its visitors, told before it starts: a campaign that does not run has no such warnings in the draft.

use std::sync::Arc;

use domain::{CampaignId, CampaignStatus, Project, SharedDocument};

use crate::computation::compute;
use crate::documents::{ResourceKind, check_shared};
use crate::drafts::{DraftWarning, ReadError, located};

/// What is doubtful about a campaign that runs.
#[derive(Debug, Default)]
pub struct CampaignWarnings {
    /// The warnings about it, and about what it needs.
    pub warnings: Vec<DraftWarning>,
    /// Whether no visitor sees any of it.
    pub hides_from_everyone: bool,
}

/// The warnings about a campaign of a project once that runs; none about one that is over, or that the project does not have.
///
/// # Errors
/// If the computation fails.
pub async fn warnings_once_running(
    project: &Arc<Project>,
    id: CampaignId,
) -> Result<CampaignWarnings, ReadError> {
    let project = Arc::clone(project);
    Ok(compute("check_campaign", move || warnings_of(&project, id)).await?)
}

fn warnings_of(project: &Project, id: CampaignId) -> CampaignWarnings {
    let status = project.campaign(id).map(|campaign| campaign.status);
    let (
        Some(CampaignStatus::NotStarted | CampaignStatus::Running | CampaignStatus::Paused),
        false,
    ) = (status, project.archived)
    else {
        return CampaignWarnings::default();
    };
    let mut alone = project.with_campaign_alone(id);
    if let Some(campaign) = alone.campaign_mut(id) {
        campaign.status = CampaignStatus::Running;
    }
    let document = SharedDocument::of_project(&alone);
    // What is refused is told by what refuses it.
    let found = check_shared(&document).map(|checked| checked.warnings).unwrap_or_default();
    let own = id.to_string();
    let is_about_it = |warning: &DraftWarning| match &warning.resource {
        Some((ResourceKind::Campaign, campaign)) => campaign["id"] == *own,
        Some(_) => true,
        // A holdback of the whole project is one of each campaign.
        None => warning.fault.code == "all_held_back",
    };
    let mut warnings = located(&document, &found);
    warnings.retain(is_about_it);
    CampaignWarnings { warnings, hides_from_everyone: alone.hides_from_everyone(id) }
}
