//! A program reads the resources of a project: all of a kind page by page, or one.

use std::sync::Arc;

use domain::{CampaignStatus, ProjectId, SharedDocument};
use serde_json::Value;
use storage::ListRange;

use crate::App;
use crate::documents::{ResourceKind, ResourcePath, all, find};
use crate::drafts::{Draft, ReadError, live_view, readable_draft, view};
use crate::publishing::{RevisionDocument, read_live};
use crate::roles::Actor;
use crate::search::plain;

/// Which resources to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResourceFilter {
    /// Whether to list archived ones.
    pub archived: Archived,
    /// Only campaigns and experiments with this status.
    pub status: Option<CampaignStatus>,
    /// Only those of this campaign.
    pub campaign_id: Option<String>,
    /// Only those of this experiment.
    pub experiment_id: Option<String>,
    /// Only those with each of these words in their name, key, description, tags, owner or type, or with the text as their whole id or status,
    /// whatever the case and accents.
    pub text: Option<String>,
    /// Only the one with this key.
    pub key: Option<String>,
    /// Only campaigns with this tag.
    pub tag: Option<String>,
    /// Only campaigns of this owner.
    pub owner: Option<String>,
    /// The order; `None` is document order.
    pub order: Option<Order>,
    /// The state of the project.
    pub state: State,
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    /// The field to sort by.
    pub by: OrderField,
    /// Whether the order is reversed.
    pub is_descending: bool,
}

/// The fields to sort by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderField {
    /// When it was added: the order of the document.
    Added,
    /// The id.
    Id,
    /// The key.
    Key,
    /// The name, or the key where it has none.
    Name,
}

/// A state of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum State {
    /// What editors are working on.
    #[default]
    Draft,
    /// What visitors get.
    Live,
}

/// Whether archived resources are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Archived {
    /// Only the others.
    #[default]
    No,
    /// Only archived ones.
    Only,
    /// Archived ones, too.
    Too,
}

/// A page of a list.
#[derive(Debug)]
pub struct Listed {
    /// The resources on the page.
    pub resources: Vec<Value>,
    /// How many there are on all pages.
    pub total: u64,
}

/// One page of the resources of a kind.
///
/// # Errors
/// [`ReadError::UnknownProject`], [`ReadError::Role`] or [`ReadError::Storage`].
pub async fn list_resources(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    kind: ResourceKind,
    (filter, page): (ResourceFilter, ListRange),
) -> Result<Listed, ReadError> {
    let read = read(app, actor, id, filter.state).await?;
    let document = read.document();
    let mut paths = all(document, kind);
    paths.retain(|path| filter.takes(document, kind, path));
    if let Some(order) = filter.order {
        order.sort(document, &mut paths);
    }
    let skipped = page.page.saturating_sub(1) as usize * page.per_page as usize;
    let shown = paths.iter().skip(skipped).take(page.per_page as usize);
    let resources = shown.map(|path| read.view(kind, path)).collect();
    Ok(Listed { resources, total: u64::try_from(paths.len()).unwrap_or(u64::MAX) })
}

/// The resource of a kind with this id, or with this key behind `key:`.
///
/// # Errors
/// [`ReadError::UnknownProject`], [`ReadError::NotFound`], [`ReadError::Role`] or [`ReadError::Storage`].
pub async fn find_resource(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    kind: ResourceKind,
    name: &str,
) -> Result<Value, ReadError> {
    let draft = readable_draft(app, actor, id).await?;
    let path = find(&draft.document, kind, name).ok_or(ReadError::NotFound)?;
    Ok(view(&draft, kind, &path))
}

/// The resource of a kind with this name in a state of the project.
///
/// # Errors
/// The same, and [`ReadError::NotPublished`] if nothing is live.
pub async fn find_resource_in(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    state: State,
    (kind, name): (ResourceKind, &str),
) -> Result<Value, ReadError> {
    let read = read(app, actor, id, state).await?;
    let path = find(read.document(), kind, name).ok_or(ReadError::NotFound)?;
    Ok(read.view(kind, &path))
}

/// The resources of a kind with these ids in what is live, each where one is; none if nothing is live.
///
/// # Errors
/// See [`find_resource`].
pub async fn find_live_resources(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    (kind, ids): (ResourceKind, &[&str]),
) -> Result<Vec<Option<Value>>, ReadError> {
    let live = match read(app, actor, id, State::Live).await {
        Err(ReadError::NotPublished) => return Ok(vec![None; ids.len()]),
        live => live?,
    };
    let of = |id: &&str| Some(live.view(kind, &find(live.document(), kind, id)?));
    Ok(ids.iter().map(of).collect())
}

/// The experiments that target or exclude an audience: they change with it, and keep it from being archived.
///
/// # Errors
/// See [`find_resource`].
pub async fn list_audience_references(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    name: &str,
) -> Result<Vec<Value>, ReadError> {
    let draft = readable_draft(app, actor, id).await?;
    let audience = find(&draft.document, ResourceKind::Audience, name);
    let audience = audience.ok_or(ReadError::NotFound)?;
    let audience = &audience.get(&draft.document)["id"];
    let experiments = all(&draft.document, ResourceKind::Experiment).into_iter();
    let referring =
        experiments.filter(|path| names(&path.get(&draft.document)["audiences"], audience));
    Ok(referring.map(|path| reference(&view(&draft, ResourceKind::Experiment, &path))).collect())
}

/// Whether a condition tree names this audience.
fn names(tree: &Value, audience: &Value) -> bool {
    match tree {
        Value::Array(parts) => parts.iter().any(|part| names(part, audience)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            tree == audience
        }
    }
}

/// The parts of an experiment that identify a reference.
fn reference(experiment: &Value) -> Value {
    let told = ["id", "key", "name", "campaign_id", "status", "archived"];
    told.into_iter().map(|field| (field.to_owned(), experiment[field].clone())).collect()
}

/// A state of a project that was read.
enum Read {
    Draft(Arc<Draft>),
    Live(Arc<RevisionDocument>, Arc<Draft>),
}

impl Read {
    fn document(&self) -> &SharedDocument {
        match self {
            Self::Draft(draft) => &draft.document,
            Self::Live(live, _) => live.document(),
        }
    }

    fn view(&self, kind: ResourceKind, path: &ResourcePath) -> Value {
        match self {
            Self::Draft(draft) => view(draft, kind, path),
            Self::Live(live, draft) => live_view((live.document(), draft), kind, path),
        }
    }
}

async fn read(app: &App, actor: &Actor, id: ProjectId, state: State) -> Result<Read, ReadError> {
    let draft = readable_draft(app, actor, id).await?;
    match state {
        State::Draft => Ok(Read::Draft(draft)),
        State::Live => {
            let live = read_live(app, id, draft.head).await?;
            let live = live.ok_or(ReadError::NotPublished)?;
            Ok(Read::Live(live, draft))
        }
    }
}

impl ResourceFilter {
    fn takes(&self, document: &SharedDocument, kind: ResourceKind, path: &ResourcePath) -> bool {
        let value = path.get(document);
        let parent = path.parent();
        let of_campaign = match kind {
            ResourceKind::Variation => parent.as_ref().and_then(ResourcePath::parent),
            ResourceKind::Experiment => parent.clone(),
            ResourceKind::Attribute
            | ResourceKind::Page
            | ResourceKind::Audience
            | ResourceKind::Event
            | ResourceKind::Metric
            | ResourceKind::Campaign
            | ResourceKind::Group => Some(path.clone()),
        };
        let campaign = of_campaign.map(|path| path.get(document));
        let parent = parent.map(|path| path.get(document));
        self.archived.takes(value)
            && is(campaign, "status", self.status.map(CampaignStatus::word))
            && is(campaign, "id", self.campaign_id.as_deref())
            && is(parent, "id", self.experiment_id.as_deref())
            && is(Some(value), "key", self.key.as_deref())
            && is(Some(value), "owner", self.owner.as_deref())
            && self.tag.as_deref().is_none_or(|tag| has_tag(value, tag))
            && self.text.as_deref().is_none_or(|text| says(value, text))
    }
}

fn has_tag(campaign: &Value, tag: &str) -> bool {
    campaign["tags"].as_array().is_some_and(|tags| tags.iter().any(|one| *one == *tag))
}

/// Whether a resource has each word of a text in the fields that people search, or the text as its whole id or status. Parts of ids, and of
/// a status that many have, find too much.
fn says(value: &Value, text: &str) -> bool {
    let text = plain(text);
    let said = |field: &str| plain(value[field].as_str().unwrap_or_default());
    let (id, status) = (said("id"), said("status"));
    let tags = value["tags"].as_array().into_iter().flatten().filter_map(Value::as_str).map(plain);
    let fields = ["name", "key", "description", "owner", "type"].into_iter().map(said);
    let fields: Vec<String> = fields.chain(tags).collect();
    let has = |word: &str| word == status || fields.iter().any(|field| field.contains(word));
    text.split_whitespace().all(has) || id == text || status.replace('_', " ") == text
}

impl Order {
    fn sort(self, document: &SharedDocument, paths: &mut [ResourcePath]) {
        paths.sort_by_cached_key(|path| self.by.key_of(path.get(document)));
        if self.is_descending {
            paths.reverse();
        }
    }
}

impl OrderField {
    /// Ids sort as numbers. What has equal keys stays in document order.
    fn key_of(self, value: &Value) -> (u64, String) {
        let text = |field: &str| value[field].as_str().unwrap_or_default();
        match self {
            Self::Added => (0, String::new()),
            Self::Id => (text("id").parse().unwrap_or(u64::MAX), String::new()),
            Self::Key => (0, text("key").to_owned()),
            Self::Name => (0, plain(value["name"].as_str().unwrap_or(text("key")))),
        }
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

/// Whether a field has the wanted value, if any.
fn is(value: Option<&Value>, field: &str, wanted: Option<&str>) -> bool {
    wanted.is_none_or(|wanted| value.is_some_and(|value| value[field] == *wanted))
}
