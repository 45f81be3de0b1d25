//! Describes a project: what is live, and its campaigns.

use domain::{BasisPoints, Project, ProjectId};
use oauth::Timestamp;

use crate::App;
use crate::publishing::{LiveProject, live_project};
use crate::roles::{Actor, Permission, RoleError};

/// A project as the console shows it.
#[derive(Debug, Clone)]
pub struct ProjectDescription {
    /// Its id.
    pub id: ProjectId,
    /// Its key.
    pub key: String,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Share of visitors to whom none of its campaigns shows anything.
    pub holdback: BasisPoints,
    /// The live revision.
    pub revision: u32,
    /// When that was published.
    pub published_at: Timestamp,
    /// The live snippet's hash.
    pub snippet_hash: String,
    /// The live snippet's size as most browsers receive it.
    pub snippet_bytes_brotli: usize,
    /// The campaigns, in the document's order.
    pub campaigns: Vec<CampaignLine>,
}

/// A campaign in a list.
#[derive(Debug, Clone)]
pub struct CampaignLine {
    /// Its id.
    pub id: String,
    /// Its name, or its key where it has none.
    pub name: String,
    /// `ab_test` or `personalization`.
    pub kind: &'static str,
    /// `running` and so on.
    pub status: &'static str,
    /// How many experiments it has.
    pub experiments: usize,
    /// How many variations these have together.
    pub variations: usize,
}

/// The live state of project `id`; `None` if it is unknown.
///
/// # Errors
/// See [`RoleError`].
pub async fn describe_project(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<Option<ProjectDescription>, RoleError> {
    actor.require(app, Some(id), Permission::ReadConfiguration).await?;
    let Some(LiveProject { number, project }) = live_project(app, id).await? else {
        return Ok(None);
    };
    let Some(revision) = app.store().lookup_revision_line(id, number).await? else {
        return Ok(None);
    };
    Ok(Some(ProjectDescription {
        id,
        key: project.key.to_string(),
        holdback: project.holdback,
        revision: revision.number,
        published_at: revision.created_at,
        snippet_bytes_brotli: revision.brotli_bytes as usize,
        snippet_hash: revision.snippet_hash,
        campaigns: campaign_lines(&project),
        name: project.name.clone(),
    }))
}

fn campaign_lines(project: &Project) -> Vec<CampaignLine> {
    let lines = project.campaigns.iter().map(|campaign| CampaignLine {
        id: campaign.id.to_string(),
        name: campaign.name.clone().unwrap_or_else(|| campaign.key.to_string()),
        kind: campaign.kind.word(),
        status: campaign.status.word(),
        experiments: campaign.experiments.len(),
        variations: campaign.experiments.iter().map(|experiment| experiment.variations.len()).sum(),
    });
    lines.collect()
}
