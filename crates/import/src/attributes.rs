//! Attributes of visitors.

use serde_json::{Value, json};

use crate::importer::Importer;

impl Importer<'_> {
    /// The project's attributes.
    pub(crate) fn attributes(&mut self) -> Vec<Value> {
        let resources = self.resources("attributes");
        resources.iter().filter_map(|at| self.attribute(at)).collect()
    }
}

impl<'e> Importer<'e> {
    fn attribute(&mut self, at: &crate::export_location::At<'e>) -> Option<Value> {
        if let Some(reason) = self.any_rejection(at) {
            self.ledger.left_out(at, reason, "");
            return None;
        }
        let resource = self.begin(at, "attribute")?;
        let key_there = self.text(at, "key");
        let id = resource.id.clone().unwrap_or_default();
        let name = resource.name.clone().unwrap_or_default();
        let wanted = [key_there.as_deref().unwrap_or(&name), &name, &format!("attribute {id}")];
        let key = self.attributes.keys.give(wanted);
        self.attributes.add(&id, &key);
        if let Some(key_there) = &key_there {
            self.attributes.also(key_there, &key);
            let says = "`push({type: \"user\"})`";
            self.tell_of_new_key(at, key_there, &key, says);
        }
        if let Some(at) = at.field("description") {
            self.ledger.left_out(&at, "Assay's attributes have no description", "");
        }
        let is_archived = self.archived(at);
        let mut fields = self.start(at, &resource, &key);
        if is_archived {
            fields.insert("archived".to_owned(), json!(true));
        }
        Some(Value::Object(fields))
    }

    /// Code of the site may say the key.
    pub(crate) fn tell_of_new_key(
        &mut self,
        at: &crate::export_location::At<'e>,
        key_there: &str,
        key: &str,
        says: &str,
    ) {
        if let Some(at) = at.field("key").filter(|_| key_there != key) {
            let message = format!("the key `{key_there}` becomes `{key}`");
            let advice = format!("say `{key}` wherever the site says `{key_there}` in {says}");
            self.ledger.changed(&at, message, &advice);
        }
    }
}
