//! The document as its author wrote it: without what the author left for the server to fill in.

use serde_json::Value;

use super::Parsed;
use crate::Pointer;

/// The lists whose resources have ids, with the lists inside each of their resources.
const LISTS: [&str; 7] =
    ["attributes", "pages", "events", "metrics", "audiences", "campaigns", "groups"];

impl Parsed {
    /// The document with keys for references and with its files inlined, but without the ids and states that its author left out, of
    /// campaigns and of the project: a server that knows the project has its own.
    ///
    /// # Panics
    /// Never: a project is always JSON.
    #[must_use]
    pub fn as_written(&self) -> Value {
        let mut document = serde_json::to_value(&self.project).expect("a project is always JSON");
        for list in LISTS {
            self.leave_out(&mut document, &Pointer::root(), list);
        }
        let archived = Pointer::root().field("project").field("archived");
        if let Some(project) = document["project"].as_object_mut()
            && !self.locations.says(&archived)
        {
            project.remove("archived");
        }
        document
    }

    fn leave_out(&self, parent: &mut Value, at: &Pointer, list: &str) {
        let resources = parent[list].as_array_mut().into_iter().flatten();
        for (index, resource) in resources.enumerate() {
            let at = at.field(list).element(index);
            if let Some(fields) = resource.as_object_mut() {
                let is_unsaid = |name: &str| !self.locations.says(&at.field(name));
                let left = left_to_the_server(list);
                fields.retain(|name, _| !left.contains(&name.as_str()) || !is_unsaid(name));
            }
            match list {
                "campaigns" => self.leave_out(resource, &at, "experiments"),
                "experiments" => self.leave_out(resource, &at, "variations"),
                _ => {}
            }
        }
    }
}

fn left_to_the_server(list: &str) -> &'static [&'static str] {
    if list == "campaigns" { &["id", "status"] } else { &["id"] }
}
