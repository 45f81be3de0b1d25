//! A program reads the things of a project: all of a kind page by page, or one.

use std::sync::Arc;

use domain::{CampaignStatus, ProjectId, SharedDocument};
use serde_json::Value;
use storage::{MemberId, Page};

use crate::App;
use crate::drafts::{Draft, EditError, open_draft};
use crate::resources::place::{all, find};
use crate::resources::{Place, ResourceKind, view};
use crate::roles::{Permission, require};

/// Which things a list is about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResourceFilter {
    /// Whether those are listed that are put away.
    pub archived: Archived,
    /// Only those in this state, of campaigns and experiments.
    pub status: Option<CampaignStatus>,
    /// Only those of this campaign.
    pub campaign_id: Option<String>,
    /// Only those of this experiment.
    pub experiment_id: Option<String>,
}

/// Whether things that are put away are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Archived {
    /// Only the others.
    #[default]
    No,
    /// Only they.
    Only,
    /// They, too.
    Too,
}

/// A page of a list.
#[derive(Debug)]
pub struct Listed {
    /// What is on the page.
    pub things: Vec<Value>,
    /// How many there are on all pages.
    pub total: u64,
}

/// One page of the things of a kind.
///
/// # Errors
/// [`EditError::UnknownProject`], [`EditError::Role`] or [`EditError::Storage`].
pub async fn list_resources(
    app: &App,
    member: MemberId,
    id: ProjectId,
    kind: ResourceKind,
    (filter, page): (ResourceFilter, Page),
) -> Result<Listed, EditError> {
    let draft = readable_draft(app, member, id).await?;
    let mut places = all(&draft.document, kind);
    places.retain(|place| filter.takes(&draft.document, kind, place));
    let skipped = page.page.saturating_sub(1) as usize * page.per_page as usize;
    let shown = places.iter().skip(skipped).take(page.per_page as usize);
    let things = shown.map(|place| view(&draft, kind, place)).collect();
    Ok(Listed { things, total: u64::try_from(places.len()).unwrap_or(u64::MAX) })
}

/// The thing of a kind with this id, or with this key behind `key:`.
///
/// # Errors
/// [`EditError::UnknownProject`], [`EditError::NotFound`], [`EditError::Role`] or [`EditError::Storage`].
pub async fn find_resource(
    app: &App,
    member: MemberId,
    id: ProjectId,
    kind: ResourceKind,
    name: &str,
) -> Result<Value, EditError> {
    let draft = readable_draft(app, member, id).await?;
    let place = find(&draft.document, kind, name).ok_or(EditError::NotFound)?;
    Ok(view(&draft, kind, &place))
}

/// The draft of a project that this member may read.
///
/// # Errors
/// [`EditError::UnknownProject`], [`EditError::Role`] or [`EditError::Storage`].
pub async fn readable_draft(
    app: &App,
    member: MemberId,
    id: ProjectId,
) -> Result<Arc<Draft>, EditError> {
    require(app, member, Some(id), Permission::ReadConfiguration).await?;
    open_draft(app, id).await?.ok_or(EditError::UnknownProject)
}

impl ResourceFilter {
    fn takes(&self, document: &SharedDocument, kind: ResourceKind, place: &Place) -> bool {
        let value = place.get(document);
        let parent = place.parent();
        let of_campaign = match kind {
            ResourceKind::Variation => parent.as_ref().and_then(Place::parent),
            ResourceKind::Experiment => parent.clone(),
            ResourceKind::Attribute
            | ResourceKind::Page
            | ResourceKind::Audience
            | ResourceKind::Event
            | ResourceKind::Campaign
            | ResourceKind::Group => Some(place.clone()),
        };
        let campaign = of_campaign.map(|place| place.get(document));
        let parent = parent.map(|place| place.get(document));
        self.archived.takes(value)
            && is(campaign, "status", self.status.map(CampaignStatus::word))
            && is(campaign, "id", self.campaign_id.as_deref())
            && is(parent, "id", self.experiment_id.as_deref())
    }
}

impl Archived {
    fn takes(self, value: &Value) -> bool {
        let is_archived = value["archived"] == true || value["status"] == "archived";
        match self {
            Self::No => !is_archived,
            Self::Only => is_archived,
            Self::Too => true,
        }
    }
}

/// Whether a field has the value that is wanted, if one is.
fn is(value: Option<&Value>, field: &str, wanted: Option<&str>) -> bool {
    wanted.is_none_or(|wanted| value.is_some_and(|value| value[field] == *wanted))
}
