//! Describes a project in a few facts: what is live, whether the draft differs, and how many campaigns it has.

use domain::{BasisPoints, CampaignStatus, ProjectId};
use oauth::Timestamp;

use crate::App;
use crate::drafts::{ReadError, readable_draft};
use crate::publishing::read_live;
use crate::roles::Actor;

/// A project in a list.
#[derive(Debug, Clone)]
pub struct ProjectDescription {
    /// Its id.
    pub id: ProjectId,
    /// Its key.
    pub key: String,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What visitors get; `None` if it was never published.
    pub live: Option<LiveDescription>,
    /// Whether the draft differs from what is live.
    pub is_changed: bool,
    /// How many campaigns its draft has, without archived ones.
    pub campaigns: usize,
}

/// The live revision of a project.
#[derive(Debug, Clone)]
pub struct LiveDescription {
    /// Its number.
    pub revision: u32,
    /// When it was published.
    pub published_at: Timestamp,
    /// Its snippet's size as most browsers receive it.
    pub snippet_bytes_brotli: usize,
    /// Share of visitors to whom none of its campaigns shows anything.
    pub holdback: BasisPoints,
    /// How many campaigns run.
    pub running: usize,
}

/// The state of project `id`.
///
/// # Errors
/// [`ReadError::UnknownProject`], [`ReadError::Role`] or [`ReadError::Storage`].
pub async fn describe_project(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<ProjectDescription, ReadError> {
    let draft = readable_draft(app, actor, id).await?;
    let live = read_live(app, id, draft.head).await?;
    let published = match draft.head.live_revision {
        Some(number) => app.store().lookup_revision_line(id, number).await?,
        None => None,
    };
    let campaigns = &draft.project.campaigns;
    let is_kept = |status| status != CampaignStatus::Archived;
    Ok(ProjectDescription {
        id,
        key: draft.project.key.to_string(),
        name: draft.project.name.clone(),
        is_changed: live.as_ref().is_none_or(|live| live.project != draft.project),
        campaigns: campaigns.iter().filter(|campaign| is_kept(campaign.status)).count(),
        live: live.zip(published).map(|(live, published)| LiveDescription {
            revision: published.number,
            published_at: published.created_at,
            snippet_bytes_brotli: published.brotli_bytes as usize,
            holdback: live.project.holdback,
            running: live.project.campaigns.iter().filter(|campaign| campaign.is_served()).count(),
        }),
    })
}
