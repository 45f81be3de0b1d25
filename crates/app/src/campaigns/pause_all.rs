//! Every campaign that runs is paused, as [`CampaignsAction::Pause`](crate::campaigns::CampaignsAction::Pause) does it.

use domain::{Campaign, CampaignStatus, Project, ProjectId};
use serde_json::Value;

use crate::App;
use crate::campaigns::conclude::Conclusion;
use crate::drafts::{EditError, ReadError, readable_draft};
use crate::publishing::read_live;
use crate::roles::Actor;

/// The titles of the campaigns that run, which visitors get.
///
/// # Errors
/// [`ReadError::UnknownProject`], [`ReadError::Role`] or [`ReadError::Storage`].
pub async fn list_running_campaigns(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<Vec<String>, ReadError> {
    let draft = readable_draft(app, actor, id).await?;
    let live = read_live(app, id, draft.head).await?;
    let live = live.iter().filter(|live| !live.project.archived);
    let campaigns = live.flat_map(|live| running_campaigns(&live.project));
    Ok(campaigns.map(|campaign| campaign.title().to_owned()).collect())
}

pub(super) fn running_campaigns(live: &Project) -> impl Iterator<Item = &Campaign> {
    live.campaigns.iter().map(|campaign| &**campaign).filter(|campaign| is_running(campaign))
}

/// Pauses a live campaign.
pub(super) fn pause(campaign: &mut Campaign) -> Result<(), EditError> {
    Conclusion::default().next(campaign, CampaignStatus::Paused)?.apply(campaign);
    Ok(())
}

/// Pauses a campaign in the draft's document, if the draft does not end it anyway.
pub(super) fn pause_in_draft(campaign: &Campaign, document: &mut Value) -> Result<(), EditError> {
    if is_running(campaign) {
        Conclusion::default().next(campaign, CampaignStatus::Paused)?.write(document);
    }
    Ok(())
}

fn is_running(campaign: &Campaign) -> bool {
    campaign.status == CampaignStatus::Running
}
