//! Which resources a list is about: `?archived=true&status=running&campaign_id=3001`.

use app::resources::{Archived, Order, OrderField, ResourceFilter, State};
use domain::CampaignStatus;
use serde_json::{Value, json};
use web::Problem;

use crate::address::{FromQuery, Query};

/// What the query of a list asks for.
pub(super) struct Filter(pub(super) ResourceFilter);

/// `state=live`: what visitors get, instead of what editors are working on.
pub(super) struct WhichState(pub(super) State);

/// The order of a list: `sort=-name`.
pub(crate) struct Sorting(pub(crate) Option<Order>);

/// Whether what is archived is listed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Only what is in use.
    False,
    /// Only what is archived.
    True,
    /// Both.
    Any,
}

const CHOICES: [(&str, Choice); 3] =
    [("false", Choice::False), ("true", Choice::True), ("any", Choice::Any)];

const STATES: [(&str, State); 2] = [("draft", State::Draft), ("live", State::Live)];

const STATUSES: [(&str, CampaignStatus); 5] = [
    ("not_started", CampaignStatus::NotStarted),
    ("running", CampaignStatus::Running),
    ("paused", CampaignStatus::Paused),
    ("concluded", CampaignStatus::Concluded),
    ("archived", CampaignStatus::Archived),
];

/// With a hyphen the last comes first.
const ORDERS: [(&str, (OrderField, bool)); 8] = [
    ("added", (OrderField::Added, false)),
    ("-added", (OrderField::Added, true)),
    ("id", (OrderField::Id, false)),
    ("-id", (OrderField::Id, true)),
    ("key", (OrderField::Key, false)),
    ("-key", (OrderField::Key, true)),
    ("name", (OrderField::Name, false)),
    ("-name", (OrderField::Name, true)),
];

impl Choice {
    pub(crate) const DESCRIPTION: &str = "Those that are archived, alone or too.";

    pub(crate) fn schema() -> Value {
        words_of(&CHOICES, Some("false"))
    }
}

impl FromQuery for Option<Choice> {
    fn read(query: &Query) -> Result<Self, Problem> {
        query.word("archived", &CHOICES)
    }
}

impl WhichState {
    pub(super) fn schema() -> Value {
        words_of(&STATES, Some("draft"))
    }
}

impl FromQuery for WhichState {
    fn read(query: &Query) -> Result<Self, Problem> {
        Ok(Self(query.word("state", &STATES)?.unwrap_or(State::Draft)))
    }
}

impl Filter {
    pub(super) fn status_schema() -> Value {
        words_of(&STATUSES, None)
    }
}

impl Sorting {
    pub(crate) const DESCRIPTION: &str = "The order; with a hyphen the last comes first.";

    pub(crate) fn schema() -> Value {
        words_of(&ORDERS, None)
    }
}

impl FromQuery for Sorting {
    fn read(query: &Query) -> Result<Self, Problem> {
        let order = query.word("sort", &ORDERS)?;
        Ok(Self(order.map(|(by, is_descending)| Order { by, is_descending })))
    }
}

impl FromQuery for Filter {
    fn read(query: &Query) -> Result<Self, Problem> {
        let text = |name| query.text(name).map(str::to_owned);
        let status = query.word("status", &STATUSES)?;
        let archived = match Option::<Choice>::read(query)? {
            None if status == Some(CampaignStatus::Archived) => Archived::Too,
            None | Some(Choice::False) => Archived::No,
            Some(Choice::True) => Archived::Only,
            Some(Choice::Any) => Archived::Too,
        };
        let Sorting(order) = Sorting::read(query)?;
        let WhichState(state) = WhichState::read(query)?;
        Ok(Self(ResourceFilter {
            archived,
            status,
            campaign_id: text("campaign_id"),
            experiment_id: text("experiment_id"),
            text: text("q"),
            key: text("key"),
            tag: text("tag"),
            owner: text("owner"),
            order,
            state,
        }))
    }
}

fn words_of<T>(words: &[(&str, T)], default: Option<&str>) -> Value {
    let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let mut schema = json!({"type": "string", "enum": words});
    if let Some(default) = default {
        schema["default"] = default.into();
    }
    schema
}
