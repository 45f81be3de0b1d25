//! Which resources a list is about: `?archived=true&status=running&campaign_id=3001`.

use app::resources::{Archived, Order, OrderField, ResourceFilter, State};
use domain::CampaignStatus;
use serde::Deserialize;
use serde_json::{Value, json};

/// What the query of a list asks for.
#[derive(Deserialize)]
pub(super) struct Filter {
    archived: Option<Choice>,
    status: Option<Status>,
    campaign_id: Option<String>,
    experiment_id: Option<String>,
    q: Option<String>,
    key: Option<String>,
    tag: Option<String>,
    owner: Option<String>,
    sort: Option<Sort>,
    #[serde(default)]
    state: WhichState,
}

/// `state=live`: what visitors get, instead of what editors are working on.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WhichState {
    #[default]
    Draft,
    Live,
}

/// By what a list is ordered; with a hyphen the last comes first.
#[derive(Clone, Copy, Deserialize)]
enum Sort {
    #[serde(rename = "id")]
    Id,
    #[serde(rename = "-id")]
    IdDescending,
    #[serde(rename = "key")]
    Key,
    #[serde(rename = "-key")]
    KeyDescending,
    #[serde(rename = "name")]
    Name,
    #[serde(rename = "-name")]
    NameDescending,
}

impl From<WhichState> for State {
    fn from(state: WhichState) -> Self {
        match state {
            WhichState::Draft => Self::Draft,
            WhichState::Live => Self::Live,
        }
    }
}

impl From<Sort> for Order {
    fn from(sort: Sort) -> Self {
        let (by, is_descending) = match sort {
            Sort::Id => (OrderField::Id, false),
            Sort::IdDescending => (OrderField::Id, true),
            Sort::Key => (OrderField::Key, false),
            Sort::KeyDescending => (OrderField::Key, true),
            Sort::Name => (OrderField::Name, false),
            Sort::NameDescending => (OrderField::Name, true),
        };
        Self { by, is_descending }
    }
}

/// Whether what is archived is listed.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Choice {
    /// Only what is in use.
    #[default]
    False,
    /// Only what is archived.
    True,
    /// Both.
    Any,
}

impl Choice {
    pub(crate) const DESCRIPTION: &str = "Those that are archived, alone or too.";

    pub(crate) fn schema() -> Value {
        json!({"type": "string", "enum": ["false", "true", "any"], "default": "false"})
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    NotStarted,
    Running,
    Paused,
    Concluded,
    Archived,
}

impl From<Status> for CampaignStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::NotStarted => Self::NotStarted,
            Status::Running => Self::Running,
            Status::Paused => Self::Paused,
            Status::Concluded => Self::Concluded,
            Status::Archived => Self::Archived,
        }
    }
}

impl From<Filter> for ResourceFilter {
    fn from(filter: Filter) -> Self {
        let Filter {
            archived,
            status,
            campaign_id,
            experiment_id,
            q,
            key,
            tag,
            owner,
            sort,
            state,
        } = filter;
        let status = status.map(CampaignStatus::from);
        let archived = match archived {
            None if status == Some(CampaignStatus::Archived) => Archived::Too,
            None | Some(Choice::False) => Archived::No,
            Some(Choice::True) => Archived::Only,
            Some(Choice::Any) => Archived::Too,
        };
        Self {
            archived,
            status,
            campaign_id,
            experiment_id,
            text: q,
            key,
            tag,
            owner,
            order: sort.map(Order::from),
            state: state.into(),
        }
    }
}
