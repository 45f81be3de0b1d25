//! Describes projects in a few facts: what is live, whether the draft differs, and how many campaigns it has. A document that cannot be read
//! costs its own project these facts, and no other one.

use domain::{BasisPoints, CampaignStatus, ProjectId};
use oauth::Timestamp;
use storage::{ListRange, ProjectHead, ProjectSummary, StorageError};

use crate::App;
use crate::bounded_cache::BoundedCache;
use crate::drafts::{ReadError, open_draft};
use crate::projects::{ProjectFilter, list_readable_projects};
use crate::publishing::read_live;
use crate::roles::Actor;

/// Descriptions in memory, of some hundred bytes each: more projects than most servers have.
const DESCRIPTIONS_AT_MOST: usize = 4_096;

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
    /// What members work on; `None` if it cannot be read.
    pub draft: Option<DraftDescription>,
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
    /// What its document says; `None` if that cannot be read.
    pub content: Option<LiveContent>,
}

/// What a live document says.
#[derive(Debug, Clone, Copy)]
pub struct LiveContent {
    /// Share of visitors to whom none of its campaigns shows anything.
    pub holdback: BasisPoints,
    /// How many campaigns run.
    pub running: usize,
}

/// The draft of a project.
#[derive(Debug, Clone, Copy)]
pub struct DraftDescription {
    /// Whether it differs from what is live.
    pub is_changed: bool,
    /// How many campaigns it has, without archived ones.
    pub campaigns: usize,
}

/// Descriptions made before: each needs two documents, and lists have many. Each is valid while its project has the same head.
#[derive(Debug)]
pub(crate) struct DescriptionCache(BoundedCache<ProjectId, (ProjectHead, ProjectDescription)>);

impl Default for DescriptionCache {
    fn default() -> Self {
        Self(BoundedCache::of_entries(DESCRIPTIONS_AT_MOST))
    }
}

/// One page of the projects that the actor may read, and how many there are on all pages.
///
/// # Errors
/// [`ReadError::Role`] or [`ReadError::Storage`].
pub async fn describe_projects(
    app: &App,
    actor: &Actor,
    filter: &ProjectFilter,
    page: ListRange,
) -> Result<(Vec<ProjectDescription>, u64), ReadError> {
    let (summaries, total) = list_readable_projects(app, actor, filter, page).await?;
    let mut descriptions = Vec::with_capacity(summaries.len());
    for summary in summaries {
        descriptions.extend(describe(app, summary).await?);
    }
    Ok((descriptions, total))
}

/// `None` if the project was deleted meanwhile.
async fn describe(
    app: &App,
    summary: ProjectSummary,
) -> Result<Option<ProjectDescription>, StorageError> {
    let ProjectSummary { id, key, name, head, .. } = summary;
    if let Some((_, known)) = app.caches().descriptions.0.find(&id).filter(|(of, _)| *of == head) {
        return Ok(Some(known));
    }
    let draft = match readable(open_draft(app, id).await)? {
        Some(None) => return Ok(None),
        Some(Some(draft)) => Some(draft),
        None => None,
    };
    let live = readable(read_live(app, id, head).await)?;
    let published = match head.live_revision {
        Some(number) => app.store().lookup_revision_line(id, number).await?,
        None => None,
    };
    let live_project = live.flatten().map(|live| live.project.clone());
    let content = live_project.as_ref().map(|live| LiveContent {
        holdback: live.holdback,
        running: live.campaigns.iter().filter(|campaign| campaign.is_served()).count(),
    });
    let is_kept = |status| status != CampaignStatus::Archived;
    let description = ProjectDescription {
        id,
        key,
        name,
        live: published.map(|published| LiveDescription {
            revision: published.number,
            published_at: published.created_at,
            snippet_bytes_brotli: published.brotli_bytes as usize,
            content,
        }),
        draft: draft.as_ref().map(|draft| DraftDescription {
            is_changed: live_project.is_none_or(|live| live != draft.project),
            campaigns: draft.project.campaigns.iter().filter(|one| is_kept(one.status)).count(),
        }),
    };
    // A draft that another member has changed since the list was read belongs to a later head.
    if draft.is_none_or(|draft| draft.head == head) {
        app.caches().descriptions.0.put_one(id, (head, description.clone()));
    }
    Ok(Some(description))
}

/// What was read; `None` if that is a document that cannot be.
fn readable<T>(read: Result<T, StorageError>) -> Result<Option<T>, StorageError> {
    match read {
        Err(StorageError::Document(why)) => {
            tracing::warn!("{why}");
            Ok(None)
        }
        read => read.map(Some),
    }
}
