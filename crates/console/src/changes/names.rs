//! The names of the resources that changes refer to by their ids.

use std::collections::{HashMap, HashSet};

use app::documents::{Difference, ResourceKind};
use domain::SharedDocument;
use serde_json::Value;

/// Names by id.
pub(super) struct Names<'d> {
    names: HashMap<&'d str, &'d str>,
    /// The names of the campaign and the experiment above a changed experiment or variation.
    above: HashMap<&'d str, Vec<&'d str>>,
}

impl<'d> Names<'d> {
    /// What these documents name; earlier documents know better.
    pub(super) fn of<'c>(
        differences: impl Iterator<Item = &'c Difference>,
        documents: &[&'d SharedDocument],
    ) -> Self {
        let mut found = Self { names: HashMap::new(), above: HashMap::new() };
        let changed: HashSet<&str> = differences.filter_map(|one| one.id.as_deref()).collect();
        for document in documents {
            let kinds = ResourceKind::ALL.into_iter().filter(|kind| kind.parent().is_none());
            for resource in kinds.flat_map(|kind| document.list(kind.collection())) {
                found.names.entry(id_of(resource)).or_insert(name_of(resource));
            }
            for campaign in document.list(ResourceKind::Campaign.collection()) {
                found.find_in(campaign, &mut Vec::new(), &changed);
            }
        }
        found
    }

    fn find_in(&mut self, parent: &'d Value, trail: &mut Vec<&'d str>, changed: &HashSet<&str>) {
        trail.push(name_of(parent));
        let inner = ["experiments", "variations"].into_iter();
        for resource in inner.filter_map(|list| parent[list].as_array()).flatten() {
            self.names.entry(id_of(resource)).or_insert(name_of(resource));
            if changed.contains(id_of(resource)) {
                self.above.entry(id_of(resource)).or_insert_with(|| trail.clone());
            }
            self.find_in(resource, trail, changed);
        }
        trail.pop();
    }

    /// The name of a resource; its id if no document has it.
    pub(super) fn name<'n>(&'n self, id: &'n str) -> &'n str {
        self.names.get(id).copied().unwrap_or(id)
    }

    /// What an experiment or a variation belongs to, in words; empty for other resources.
    pub(super) fn above(&self, id: &str) -> String {
        let mut trail = self.above.get(id).cloned().unwrap_or_default();
        trail.dedup();
        trail.join(" › ")
    }
}

fn id_of(resource: &Value) -> &str {
    resource["id"].as_str().unwrap_or_default()
}

fn name_of(resource: &Value) -> &str {
    let name = resource["name"].as_str().or(resource["key"].as_str());
    name.unwrap_or_default()
}
