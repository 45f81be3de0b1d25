//! Writes a project as its document, the inverse of [`crate::parse`].
//!
//! Each thing alone serializes with ids for references, which a document may hold, too. A whole
//! project is written with keys: they read better.

use std::collections::HashMap;
use std::fmt::Display;

use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::project::VERSION;
use crate::{Key, Project};

impl Serialize for Project {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut document = document(self).map_err(S::Error::custom)?;
        Keys::of(self).name_all(&mut document);
        document.serialize(serializer)
    }
}

impl Project {
    /// The document with ids for references, which stay right when a key is changed.
    ///
    /// # Panics
    /// Never: everything in a project becomes JSON.
    #[must_use]
    pub fn to_value_by_ids(&self) -> Value {
        document(self).expect("a project is always JSON")
    }
}

/// The document, with ids for references.
fn document(project: &Project) -> serde_json::Result<Value> {
    let Project { id, key, name, holdback, archived, snippet, .. } = project;
    Ok(json!({
        "version": VERSION,
        "project": {
            "id": id, "key": key, "name": name, "holdback": holdback, "archived": archived,
            "snippet": snippet,
        },
        "attributes": serde_json::to_value(&project.attributes)?,
        "pages": serde_json::to_value(&project.pages)?,
        "events": serde_json::to_value(&project.events)?,
        "audiences": serde_json::to_value(&project.audiences)?,
        "campaigns": serde_json::to_value(&project.campaigns)?,
        "groups": serde_json::to_value(&project.groups)?,
        "applications": serde_json::to_value(&project.applications)?,
        "integrations": serde_json::to_value(&project.integrations)?,
    }))
}

/// The keys of everything that references can name, by id.
struct Keys<'p> {
    pages: HashMap<String, &'p Key>,
    audiences: HashMap<String, &'p Key>,
    campaigns: HashMap<String, &'p Key>,
    experiments: HashMap<String, &'p Key>,
    variations: HashMap<String, &'p Key>,
}

impl<'p> Keys<'p> {
    fn of(project: &'p Project) -> Self {
        let experiments = project.campaigns.iter().flat_map(|campaign| &campaign.experiments);
        let variations = experiments.clone().flat_map(|experiment| &experiment.variations);
        Self {
            pages: by_id(project.pages.iter().map(|page| (page.id, &page.key))),
            audiences: by_id(project.audiences.iter().map(|audience| (audience.id, &audience.key))),
            campaigns: by_id(project.campaigns.iter().map(|campaign| (campaign.id, &campaign.key))),
            experiments: by_id(experiments.map(|experiment| (experiment.id, &experiment.key))),
            variations: by_id(variations.map(|variation| (variation.id, &variation.key))),
        }
    }

    /// Puts keys in the place of ids wherever a document has references, but in conditions, which
    /// stay as they were written.
    fn name_all(&self, document: &mut Value) {
        elements(document, "events").for_each(|event| name(event, "page", &self.pages));
        for campaign in elements(document, "campaigns") {
            name(campaign, "pages", &self.pages);
            name(campaign, "priorities", &self.experiments);
            self.name_pages_of_changes(campaign);
            for experiment in elements(campaign, "experiments") {
                name(experiment, "audiences", &self.audiences);
                name(experiment, "winner", &self.variations);
                elements(experiment, "variations")
                    .for_each(|variation| self.name_pages_of_changes(variation));
            }
        }
        for group in elements(document, "groups") {
            elements(group, "members").for_each(|member| name(member, "campaign", &self.campaigns));
        }
    }

    fn name_pages_of_changes(&self, parent: &mut Value) {
        elements(parent, "changes").for_each(|change| name(change, "page", &self.pages));
    }
}

fn by_id<'p>(things: impl Iterator<Item = (impl Display, &'p Key)>) -> HashMap<String, &'p Key> {
    things.map(|(id, key)| (id.to_string(), key)).collect()
}

fn elements<'v>(parent: &'v mut Value, field: &str) -> impl Iterator<Item = &'v mut Value> {
    parent.get_mut(field).and_then(Value::as_array_mut).into_iter().flatten()
}

/// Names the references in a field, which may be one, a list of them, or lists of lists.
fn name(parent: &mut Value, field: &str, keys: &HashMap<String, &Key>) {
    if let Some(references) = parent.get_mut(field) {
        name_each(references, keys);
    }
}

fn name_each(references: &mut Value, keys: &HashMap<String, &Key>) {
    if let Some(elements) = references.as_array_mut() {
        for element in elements {
            name_each(element, keys);
        }
    } else if let Some(key) = references.as_str().and_then(|id| keys.get(id)) {
        *references = json!(key);
    }
}
