//! Fills in what an author leaves out of a document from the project that it is for: the ids of resources with the same keys, the states
//! of campaigns, and whether the project is archived. An author who writes no `status` does not mean to stop a running campaign.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::SharedDocument;
use crate::{Key, Kind, derive_id};

/// The lists of the document whose resources have ids.
pub(super) const LISTS: [&str; 7] =
    ["attributes", "pages", "events", "metrics", "audiences", "campaigns", "groups"];

impl SharedDocument {
    /// The project's key in this document; `None` if it has none.
    #[must_use]
    pub fn project_key(&self) -> Option<Key> {
        key_of(self.value("project"))
    }

    /// Copies from `known`, the document of the same project, what this one leaves out: ids of resources with known keys, the states of
    /// campaigns, and whether the project is archived.
    pub fn adopt(&mut self, known: &Self) {
        self.adopt_ids(known);
        self.adopt_archived(known);
        let known = Known::of(known.list("campaigns").iter().map(|campaign| &**campaign));
        for place in 0..self.list("campaigns").len() {
            let campaign = &self.list("campaigns")[place];
            let Some(id) = id_of(campaign).filter(|_| says_nothing(campaign, "status")) else {
                continue;
            };
            let status = known.by_id.get(id.as_str()).map(|twin| twin["status"].clone());
            if let Some((status, campaign)) = status.zip(self.resource_mut("campaigns", place)) {
                campaign["status"] = status;
            }
        }
    }

    fn adopt_archived(&mut self, known: &Self) {
        let archived = known.value("project").get("archived");
        let project = self.value_mut("project").filter(|own| says_nothing(own, "archived"));
        if let Some((project, archived)) = project.and_then(Value::as_object_mut).zip(archived) {
            project.insert("archived".to_owned(), archived.clone());
        }
    }

    /// The same for ids alone; returns whether any was left out.
    pub fn adopt_ids(&mut self, known: &Self) -> bool {
        let project = key_of(known.value("project"));
        let adopted: Vec<bool> =
            LISTS.map(|list| self.adopt_list(list, known, project.as_ref())).to_vec();
        adopted.contains(&true)
    }

    fn adopt_list(&mut self, list: &'static str, known: &Self, project: Option<&Key>) -> bool {
        let claimed = self.claimed(list);
        let keys: HashSet<Key> = self.list(list).iter().filter_map(|one| key_of(one)).collect();
        let known = Known::of(known.list(list).iter().map(|resource| &**resource));
        let project = project.filter(|_| list == "campaigns");
        let resources = self.list(list).iter().enumerate();
        let silent = resources.filter(|(_, resource)| is_silent(resource, list));
        let places: Vec<usize> = silent.map(|(place, _)| place).collect();
        for place in &places {
            let Some(resource) = self.resource_mut(list, *place) else { continue };
            give_known_id(resource, (project, &keys), &known, &claimed);
            adopt_resource(resource, list, &known, &claimed);
        }
        !places.is_empty()
    }

    /// The ids that the document gives to the resources of lists with this name: `experiments` are in all campaigns.
    #[must_use]
    pub fn ids(&self, list: &str) -> HashSet<String> {
        self.resources(list).into_iter().filter_map(id_of).collect()
    }

    fn resources(&self, list: &str) -> Vec<&Value> {
        match outer(list) {
            None => self.list(list).iter().map(|resource| &**resource).collect(),
            Some(outer) => {
                let inside = self.resources(outer).into_iter();
                inside.filter_map(|one| one.get(list)?.as_array()).flatten().collect()
            }
        }
    }

    /// The ids that the document gives to a list's resources and to those inside them; no other resource may get them.
    fn claimed(&self, list: &str) -> HashSet<String> {
        let mut claimed = HashSet::new();
        for resource in self.list(list) {
            collect_ids(resource, list, &mut claimed);
        }
        claimed
    }
}

/// The list inside each resource of a list.
pub(super) fn inner(list: &str) -> Option<&'static str> {
    match list {
        "campaigns" => Some("experiments"),
        "experiments" => Some("variations"),
        _ => None,
    }
}

/// The list whose resources have this list in them.
fn outer(list: &str) -> Option<&'static str> {
    match list {
        "experiments" => Some("campaigns"),
        "variations" => Some("experiments"),
        _ => None,
    }
}

fn inner_resources<'v>(resource: &'v Value, list: &str) -> Option<(&'static str, &'v Vec<Value>)> {
    let inner = inner(list)?;
    Some((inner, resource.get(inner)?.as_array()?))
}

/// The resources of a list by their ids and keys.
struct Known<'k> {
    by_id: HashMap<&'k str, &'k Value>,
    by_key: HashMap<&'k str, &'k Value>,
}

impl<'k> Known<'k> {
    fn of(resources: impl Iterator<Item = &'k Value>) -> Self {
        let mut known = Self { by_id: HashMap::new(), by_key: HashMap::new() };
        for resource in resources {
            known.by_id.extend(resource["id"].as_str().map(|id| (id, resource)));
            known.by_key.extend(resource["key"].as_str().map(|key| (key, resource)));
        }
        known
    }
}

fn says_nothing(resource: &Value, field: &str) -> bool {
    resource.get(field).is_none_or(Value::is_null)
}

/// Whether a resource, or one inside it, has no id.
fn is_silent(resource: &Value, list: &str) -> bool {
    says_nothing(resource, "id")
        || inner_resources(resource, list).is_some_and(|(inner, resources)| {
            resources.iter().any(|resource| is_silent(resource, inner))
        })
}

/// Ids of different kinds may be the same number, so each stands with its list.
fn collect_ids(resource: &Value, list: &str, claimed: &mut HashSet<String>) {
    claimed.extend(id_of(resource).map(|id| claim(list, &id)));
    if let Some((inner, resources)) = inner_resources(resource, list) {
        for resource in resources {
            collect_ids(resource, inner, claimed);
        }
    }
}

fn claim(list: &str, id: &str) -> String {
    format!("{list} {id}")
}

/// Recognizes a campaign by the id made from its old key if `known` has changed the key, unless the document has the new key.
fn give_known_id(
    campaign: &mut Value,
    (project, keys): (Option<&Key>, &HashSet<Key>),
    known: &Known<'_>,
    claimed: &HashSet<String>,
) {
    let Some(project) = project else { return };
    let Some(key) = key_of(campaign).filter(|key| !known.by_key.contains_key(key.as_str())) else {
        return;
    };
    let id = derive_id(project, Kind::Campaign, None, &key).to_string();
    let is_renamed = |twin: &&Value| key_of(twin).is_some_and(|key| !keys.contains(&key));
    let is_free = id_of(campaign).is_none() && !claimed.contains(&claim("campaigns", &id));
    if is_free
        && known.by_id.get(id.as_str()).is_some_and(is_renamed)
        && let Some(fields) = campaign.as_object_mut()
    {
        fields.insert("id".to_owned(), json!(id));
    }
}

fn adopt_resource(resource: &mut Value, list: &str, known: &Known<'_>, claimed: &HashSet<String>) {
    let twin = match id_of(resource) {
        Some(id) => known.by_id.get(id.as_str()),
        None => key_of(resource).and_then(|key| known.by_key.get(key.as_str())),
    };
    let Some(twin) = twin.copied() else { return };
    let Some(fields) = resource.as_object_mut() else { return };
    if fields.get("id").is_none_or(Value::is_null) {
        let id = twin["id"].as_str().unwrap_or_default();
        if claimed.contains(&claim(list, id)) {
            return;
        }
        fields.insert("id".to_owned(), json!(id));
    }
    let Some(inner) = inner(list) else { return };
    let known = Known::of(twin[inner].as_array().into_iter().flatten());
    let resources = fields.get_mut(inner).and_then(Value::as_array_mut).into_iter().flatten();
    resources.for_each(|resource| adopt_resource(resource, inner, &known, claimed));
}

/// The id that the document gives a resource, as a string.
fn id_of(resource: &Value) -> Option<String> {
    match resource.get("id")? {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The key that the document gives a resource, or the key made from its name.
fn key_of(resource: &Value) -> Option<Key> {
    let text = |field: &str| resource.get(field).and_then(Value::as_str);
    match text("key") {
        Some(key) => key.parse().ok(),
        None => Key::from_name(text("name")?),
    }
}
