//! What a document lacks of the draft that it is to replace. Its author may not know of it: another member added it, for example.

use std::collections::{HashMap, HashSet};

use domain::{CampaignKind, SharedDocument};
use serde_json::Value;

use crate::documents::{ResourceKind, id_of, list_of};

/// An answer names as many. Each takes a line.
const MISSING_AT_MOST: usize = 2_000;

/// A resource that the draft has and the document does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// What it is.
    pub kind: ResourceKind,
    /// Its id.
    pub id: String,
    /// Its name, or its key where it has none.
    pub name: String,
}

/// What `after` lacks of `before`, the first 2,000. What is inside of something missing is not listed beside it. Nothing is missing where an
/// A/B test has another experiment: it always has one, and the other is its new phase.
pub(super) fn missing(before: &SharedDocument, after: &SharedDocument) -> Vec<Missing> {
    let kept = ResourceKind::ALL.map(|kind| (kind, after.ids(kind.collection())));
    let mut search = Search { kept: HashMap::from(kept), found: Vec::new() };
    for kind in ResourceKind::ALL.into_iter().filter(|kind| kind.parent().is_none()) {
        for resource in before.list(kind.collection()) {
            search.look_at(kind, resource);
        }
    }
    search.found.truncate(MISSING_AT_MOST);
    search.found
}

struct Search {
    /// The ids of each kind that the document has.
    kept: HashMap<ResourceKind, HashSet<String>>,
    found: Vec<Missing>,
}

impl Search {
    fn look_at(&mut self, kind: ResourceKind, resource: &Value) {
        let id = id_of(resource);
        if !self.kept[&kind].contains(id) {
            let name = resource["name"].as_str().or(resource["key"].as_str()).unwrap_or_default();
            self.found.push(Missing { kind, id: id.to_owned(), name: name.to_owned() });
            return;
        }
        let Some(inner) = kind.inner() else { return };
        let is_ab_test = resource["type"] == CampaignKind::AbTest.word();
        for resource in list_of(resource, inner) {
            let is_replaced = is_ab_test && !self.kept[&inner].contains(id_of(resource));
            if !is_replaced {
                self.look_at(inner, resource);
            }
        }
    }
}
