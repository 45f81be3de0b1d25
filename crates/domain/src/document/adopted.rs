//! What an author leaves out of a document is as it is in the project that the document is for: the ids of things that have the same
//! keys, and the states of campaigns. An author who writes no `status` does not mean to stop what runs.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::SharedDocument;
use crate::{Key, Kind, derive_id};

/// The lists of the document whose things have ids.
const LISTS: [&str; 6] = ["attributes", "pages", "events", "audiences", "campaigns", "groups"];

impl SharedDocument {
    /// The key of the project, as this document says it; `None` if it says none.
    #[must_use]
    pub fn project_key(&self) -> Option<Key> {
        key_of(self.value("project"))
    }

    /// Takes over from `known`, the document of the same project, what this one leaves out: ids of things whose keys are known, and
    /// the states of campaigns.
    pub fn adopt(&mut self, known: &Self) {
        self.adopt_ids(known);
        let known = Known::of(known.list("campaigns").iter().map(|campaign| &**campaign));
        for place in 0..self.list("campaigns").len() {
            let campaign = &self.list("campaigns")[place];
            let Some(id) = id_of(campaign).filter(|_| says_nothing(campaign, "status")) else {
                continue;
            };
            let status = known.by_id.get(id.as_str()).map(|twin| twin["status"].clone());
            if let Some((status, campaign)) = status.zip(self.thing_mut("campaigns", place)) {
                campaign["status"] = status;
            }
        }
    }

    /// The same of ids alone; tells whether any was left out.
    pub fn adopt_ids(&mut self, known: &Self) -> bool {
        let project = key_of(known.value("project"));
        let adopted: Vec<bool> =
            LISTS.map(|list| self.adopt_list(list, known, project.as_ref())).to_vec();
        adopted.contains(&true)
    }

    fn adopt_list(&mut self, list: &'static str, known: &Self, project: Option<&Key>) -> bool {
        let claimed = self.claimed(list);
        let keys: HashSet<Key> = self.list(list).iter().filter_map(|one| key_of(one)).collect();
        let known = Known::of(known.list(list).iter().map(|thing| &**thing));
        let project = project.filter(|_| list == "campaigns");
        let things = self.list(list).iter().enumerate();
        let silent = things.filter(|(_, thing)| is_silent(thing, list));
        let places: Vec<usize> = silent.map(|(place, _)| place).collect();
        for place in &places {
            let Some(thing) = self.thing_mut(list, *place) else { continue };
            give_known_id(thing, (project, &keys), &known, &claimed);
            adopt_thing(thing, list, &known, &claimed);
        }
        !places.is_empty()
    }

    /// The ids that the document gives to the things of a list.
    #[must_use]
    pub fn ids(&self, list: &str) -> HashSet<String> {
        self.list(list).iter().filter_map(|thing| id_of(thing)).collect()
    }

    /// The ids that the document gives to things of a list, and to those inside them: nothing else is given one of them.
    fn claimed(&self, list: &str) -> HashSet<String> {
        let mut claimed = HashSet::new();
        for thing in self.list(list) {
            collect_ids(thing, list, &mut claimed);
        }
        claimed
    }
}

/// The list inside each thing of a list.
fn inner(list: &str) -> Option<&'static str> {
    match list {
        "campaigns" => Some("experiments"),
        "experiments" => Some("variations"),
        _ => None,
    }
}

fn inner_things<'v>(thing: &'v Value, list: &str) -> Option<(&'static str, &'v Vec<Value>)> {
    let inner = inner(list)?;
    Some((inner, thing.get(inner)?.as_array()?))
}

/// The things of a list by their ids and keys.
struct Known<'k> {
    by_id: HashMap<&'k str, &'k Value>,
    by_key: HashMap<&'k str, &'k Value>,
}

impl<'k> Known<'k> {
    fn of(things: impl Iterator<Item = &'k Value>) -> Self {
        let mut known = Self { by_id: HashMap::new(), by_key: HashMap::new() };
        for thing in things {
            known.by_id.extend(thing["id"].as_str().map(|id| (id, thing)));
            known.by_key.extend(thing["key"].as_str().map(|key| (key, thing)));
        }
        known
    }
}

fn says_nothing(thing: &Value, field: &str) -> bool {
    thing.get(field).is_none_or(Value::is_null)
}

/// Whether a thing, or one inside it, has no id.
fn is_silent(thing: &Value, list: &str) -> bool {
    says_nothing(thing, "id")
        || inner_things(thing, list)
            .is_some_and(|(inner, things)| things.iter().any(|thing| is_silent(thing, inner)))
}

/// Ids of different kinds may be the same number: each is kept with its list.
fn collect_ids(thing: &Value, list: &str, claimed: &mut HashSet<String>) {
    claimed.extend(id_of(thing).map(|id| claim(list, &id)));
    if let Some((inner, things)) = inner_things(thing, list) {
        for thing in things {
            collect_ids(thing, inner, claimed);
        }
    }
}

fn claim(list: &str, id: &str) -> String {
    format!("{list} {id}")
}

/// A campaign whose key was changed there since its id was made from it is still that campaign, unless the document has the new key.
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

fn adopt_thing(thing: &mut Value, list: &str, known: &Known<'_>, claimed: &HashSet<String>) {
    let twin = match id_of(thing) {
        Some(id) => known.by_id.get(id.as_str()),
        None => key_of(thing).and_then(|key| known.by_key.get(key.as_str())),
    };
    let Some(twin) = twin.copied() else { return };
    let Some(fields) = thing.as_object_mut() else { return };
    if fields.get("id").is_none_or(Value::is_null) {
        let id = twin["id"].as_str().unwrap_or_default();
        if claimed.contains(&claim(list, id)) {
            return;
        }
        fields.insert("id".to_owned(), json!(id));
    }
    let Some(inner) = inner(list) else { return };
    let known = Known::of(twin[inner].as_array().into_iter().flatten());
    let things = fields.get_mut(inner).and_then(Value::as_array_mut).into_iter().flatten();
    things.for_each(|thing| adopt_thing(thing, inner, &known, claimed));
}

/// The id that the document gives a thing, as it is written elsewhere.
fn id_of(thing: &Value) -> Option<String> {
    match thing.get("id")? {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The key that the document gives a thing, if only by its name.
fn key_of(thing: &Value) -> Option<Key> {
    let text = |field: &str| thing.get(field).and_then(Value::as_str);
    match text("key") {
        Some(key) => key.parse().ok(),
        None => Key::from_name(text("name")?),
    }
}
