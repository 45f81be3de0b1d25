//! Which things a list is about: `?archived=true&status=running&campaign_id=3001`.

use app::resources::{Archived, ResourceFilter};
use serde::Deserialize;

/// What the query of a list asks for.
#[derive(Deserialize)]
pub(super) struct Filter {
    archived: Option<Choice>,
    status: Option<String>,
    campaign_id: Option<String>,
    experiment_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Choice {
    False,
    True,
    Any,
}

impl From<Filter> for ResourceFilter {
    fn from(filter: Filter) -> Self {
        let Filter { archived, status, campaign_id, experiment_id } = filter;
        let archived = match archived {
            None | Some(Choice::False) => Archived::No,
            Some(Choice::True) => Archived::Only,
            Some(Choice::Any) => Archived::Too,
        };
        Self { archived, status, campaign_id, experiment_id }
    }
}
