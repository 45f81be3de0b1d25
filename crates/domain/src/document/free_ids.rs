//! Chooses the id of a resource whose author gave it none. The first rule uses only the key of a variation's experiment, so experiments
//! with the same key in two campaigns would have variations with the same ids; and an id made from a key stays when the key changes, so the
//! next resource with that key finds it taken. This module reads all ids before it makes any: the order of the document plays no part.

use std::collections::{HashMap, HashSet};

use super::tree::{Node, Shape};
use crate::derived_id::Path;
use crate::ids::read_number;
use crate::{Key, Kind, derive_id};

/// What the reader knows of a document's ids before it reads the resources.
#[derive(Debug, Clone, Default)]
pub(super) struct FreeIds {
    /// The ids that the author wrote.
    written: HashSet<(Kind, u64)>,
    /// For each id that the first rule gives several variations: the campaign whose variation gets it, the first by its key.
    shared: HashMap<u64, Key>,
}

const LISTS: [(&str, Kind); 7] = [
    ("attributes", Kind::Attribute),
    ("pages", Kind::Page),
    ("events", Kind::Event),
    ("metrics", Kind::Metric),
    ("audiences", Kind::Audience),
    ("campaigns", Kind::Campaign),
    ("groups", Kind::Group),
];

impl FreeIds {
    /// Collects the ids in the document of the project with this key.
    pub(super) fn of(document: &Node<'_>, project: Option<&Key>) -> Self {
        let mut found = Self::default();
        for (list, kind) in LISTS {
            resources(document, list).for_each(|resource| found.look_at(kind, resource));
        }
        if let Some(project) = project {
            found.look_for_shared(document, project);
        }
        found
    }

    /// The first id that no other resource has, and that is not spent.
    pub(super) fn first_free(
        &self,
        path: Path<'_>,
        (kind, key): (Kind, &Key),
        is_spent: impl Fn(Kind, u64) -> bool,
    ) -> Option<u64> {
        let is_free = |id: &u64| {
            let is_others = kind == Kind::Variation
                && self.shared.get(id).is_some_and(|campaign| Some(campaign) != path.campaign);
            !is_others && !self.written.contains(&(kind, *id)) && !is_spent(kind, *id)
        };
        path.candidates(kind, key).find(is_free)
    }

    fn look_at(&mut self, kind: Kind, resource: &Node<'_>) {
        if let Some(id) = resource.field("id").and_then(id) {
            self.written.insert((kind, id));
        }
        let inner = match kind {
            Kind::Campaign => Some(("experiments", Kind::Experiment)),
            Kind::Experiment => Some(("variations", Kind::Variation)),
            Kind::Project
            | Kind::Attribute
            | Kind::Page
            | Kind::Event
            | Kind::Metric
            | Kind::Audience
            | Kind::Variation
            | Kind::Group => None,
        };
        if let Some((list, kind)) = inner {
            resources(resource, list).for_each(|resource| self.look_at(kind, resource));
        }
    }

    fn look_for_shared(&mut self, document: &Node<'_>, project: &Key) {
        let mut first: HashMap<[Key; 2], Key> = HashMap::new();
        for (campaign, keys) in unnamed_variations(document) {
            let Some(other) = first.get(&keys) else {
                first.insert(keys, campaign);
                continue;
            };
            let [experiment, variation] = &keys;
            let id = derive_id(project, Kind::Variation, Some(experiment), variation);
            let smallest = self.shared.get(&id).unwrap_or(other).min(&campaign).clone();
            self.shared.insert(id, smallest);
        }
    }
}

/// The variations without ids: the key of the campaign, and the keys of the experiment and the variation.
fn unnamed_variations<'n>(document: &'n Node<'n>) -> impl Iterator<Item = (Key, [Key; 2])> {
    let campaigns = resources(document, "campaigns").filter_map(|one| Some((one, key(one)?)));
    let experiments = campaigns.flat_map(|(campaign, campaign_key)| {
        let experiments = resources(campaign, "experiments");
        experiments.filter_map(move |one| Some((one, campaign_key.clone(), key(one)?)))
    });
    experiments.flat_map(|(experiment, campaign, experiment_key)| {
        let unnamed = resources(experiment, "variations")
            .filter(|variation| variation.field("id").is_none_or(Node::is_null));
        unnamed
            .filter_map(key)
            .map(move |variation| (campaign.clone(), [experiment_key.clone(), variation]))
    })
}

fn resources<'n>(parent: &'n Node<'n>, list: &str) -> impl Iterator<Item = &'n Node<'n>> {
    let resources = match parent.field(list).map(|node| &node.shape) {
        Some(Shape::List(resources)) => resources.as_slice(),
        Some(
            Shape::Null | Shape::Bool(_) | Shape::Number(_) | Shape::Text(..) | Shape::Object(_),
        )
        | None => &[],
    };
    resources.iter()
}

fn id(node: &Node<'_>) -> Option<u64> {
    node.whole_number().or_else(|| node.text().and_then(read_number))
}

/// The key of a resource, or the key made from its name. The resource's decoder reports an invalid key.
fn key(resource: &Node<'_>) -> Option<Key> {
    match resource.field("key").filter(|node| !node.is_null()) {
        Some(key) => key.number_or_text()?.parse().ok(),
        None => Key::from_name(resource.field("name")?.text()?),
    }
}
