//! Events: those that the site reports, clicks, and views of pages.

use serde_json::{Map, Value, json};

use crate::export_location::At;
use crate::importer::Importer;

const TYPES: &[(&str, &str)] =
    &[("custom", "custom"), ("click", "click"), ("pageview", "pageview")];

const CATEGORIES: &[(&str, &str)] = &[
    ("add_to_cart", "add_to_cart"),
    ("save", "save"),
    ("search", "search"),
    ("share", "share"),
    ("purchase", "purchase"),
    ("convert", "convert"),
    ("sign_up", "sign_up"),
    ("subscribe", "subscribe"),
    ("other", "other"),
];

const DATA_TYPES: &[(&str, &str)] =
    &[("string", "string"), ("number", "number"), ("boolean", "boolean")];

impl<'e> Importer<'e> {
    /// The project's events. Comes after pages, which some refer to.
    pub(crate) fn events(&mut self) -> Vec<Value> {
        let resources = self.resources("events");
        resources.iter().filter_map(|at| self.event(at)).collect()
    }

    fn event(&mut self, at: &At<'e>) -> Option<Value> {
        if let Some(reason) = self.any_rejection(at) {
            self.ledger.left_out(at, reason, "add the event by hand");
            return None;
        }
        let resource = self.begin(at, "event")?;
        let key_there = self.text(at, "key");
        let name = resource.name.clone().unwrap_or_default();
        let id = resource.id.clone().unwrap_or_default();
        let wanted = [key_there.as_deref().unwrap_or(&name), &name, &format!("event {id}")];
        let key = self.events.keys.give(wanted);
        self.events.add(&id, &key);
        if let Some(key_there) = &key_there {
            self.events.also(key_there, &key);
            self.tell_of_new_key(at, key_there, &key, "`push({type: \"event\"})`");
        }
        let mut fields = self.start(at, &resource, &key);
        let kind = self.word(at, "event_type", TYPES).unwrap_or_default().unwrap_or("custom");
        fields.insert("type".to_owned(), json!(kind));
        if let Ok(Some(category)) = self.word(at, "category", CATEGORIES) {
            fields.insert("category".to_owned(), json!(category));
        }
        if kind != "custom" {
            self.place_of_event(at, &mut fields);
        }
        let properties = at.list("event_properties");
        let properties: Vec<Value> = properties.iter().filter_map(|at| self.property(at)).collect();
        fields.insert("properties".to_owned(), json!(properties));
        if let Some(at) = at.field("description") {
            self.ledger.left_out(&at, "Assay's events have no description", "");
        }
        if self.archived(at) {
            fields.insert("archived".to_owned(), json!(true));
        } else if let Some(page) = fields.get("page").and_then(Value::as_str) {
            self.needed.insert(("page", page.to_owned()));
        }
        Some(self.finish(at, fields))
    }

    /// Where a click or a view of a page counts.
    fn place_of_event(&mut self, at: &At<'e>, fields: &mut Map<String, Value>) {
        if let Some(at) = at.field("page_id") {
            let id = crate::identity::id_text(at.value);
            match id.as_deref().and_then(|id| self.pages.get(id)).cloned() {
                Some(page) => {
                    self.ledger.settle(&at);
                    fields.insert("page".to_owned(), json!(page.key));
                }
                None => self.ledger.left_out(&at, "the export has no such page", ""),
            }
        }
        if let Some(config) = at.field("config")
            && let Some(selector) = self.selector(&config, "selector")
        {
            fields.insert("selector".to_owned(), json!(selector));
        }
    }

    fn property(&mut self, at: &At<'e>) -> Option<Value> {
        let name = self.text(at, "name")?;
        let data_type = self.word(at, "data_type", DATA_TYPES).ok()?.unwrap_or("string");
        Some(json!({"name": name, "type": data_type}))
    }
}
