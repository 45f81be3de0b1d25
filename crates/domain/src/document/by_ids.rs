//! The document with ids for references, for who changes it: a key that is changed makes no reference wrong. Each thing serializes so by
//! itself; `write.rs` puts keys in the place of ids.

use serde::Serialize;
use serde_json::{Value, json};

use super::project::VERSION;
use crate::Project;

impl Project {
    /// The document, with ids for references and every default written out.
    ///
    /// # Panics
    /// Never: everything in a project becomes JSON.
    #[must_use]
    pub fn to_value_by_ids(&self) -> Value {
        let Self { id, key, name, holdback, archived, snippet, .. } = self;
        json!({
            "version": VERSION,
            "project": {
                "id": id, "key": key, "name": name, "holdback": holdback, "archived": archived, "snippet": snippet,
            },
            "attributes": value(&self.attributes),
            "pages": value(&self.pages),
            "events": value(&self.events),
            "audiences": value(&self.audiences),
            "campaigns": value(&self.campaigns),
            "groups": value(&self.groups),
            "applications": value(&self.applications),
            "integrations": value(&self.integrations),
        })
    }
}

fn value(things: &impl Serialize) -> Value {
    serde_json::to_value(things).expect("a project is always JSON")
}
