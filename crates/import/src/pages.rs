//! Pages: addresses, and when they are looked at.

use serde_json::{Map, Value, json};

use crate::Outcome;
use crate::code::{Purpose, body};
use crate::conditions::Subject;
use crate::export_location::At;
use crate::importer::{Importer, Resource};

const ACTIVATIONS: &[(&str, &str)] = &[
    ("immediate", "immediate"),
    ("manual", "manual"),
    ("polling", "polling"),
    ("callback", "callback"),
    ("dom_changed", "dom_changed"),
    ("url_changed", "url_changed"),
];

/// Conditions of a page that never turns active.
fn never() -> Value {
    json!(["not", ["and"]])
}

impl<'e> Importer<'e> {
    /// The project's own pages.
    pub(crate) fn pages(&mut self) {
        for at in self.resources("pages") {
            if let Some(resource) = self.begin(&at, "page") {
                let wanted = resource.name.clone().unwrap_or_default();
                self.page(&at, &resource, &wanted);
            }
        }
    }

    /// A page of the export, or the addresses of one campaign alone. Returns its key.
    pub(crate) fn page(&mut self, at: &At<'e>, resource: &Resource, wanted: &str) -> String {
        let key_there = self.text(at, "key");
        let id = resource.id.clone().unwrap_or_default();
        let fallback = format!("page {id}");
        let key = self.pages.keys.give([key_there.as_deref().unwrap_or(wanted), wanted, &fallback]);
        self.pages.add(&id, &key);
        if let Some(key_there) = &key_there {
            self.tell_of_new_key(at, key_there, &key, "`push({type: \"page\"})`");
        }
        let mut fields = self.start(at, resource, &key);
        if let Some(category) = self.text(at, "category") {
            fields.insert("category".to_owned(), json!(category));
        }
        let conditions = self.page_conditions(at, &id);
        fields.insert("conditions".to_owned(), conditions);
        self.activation(at, &id, &mut fields);
        if let Some(at) = at.field("description") {
            self.ledger.left_out(&at, "Assay's pages have no description", "");
        }
        if self.archived(at) {
            fields.insert("archived".to_owned(), json!(true));
        }
        let page = self.finish(at, fields);
        self.all_pages.push(page);
        key
    }

    fn page_conditions(&mut self, resource: &At<'e>, id: &str) -> Value {
        let carried = self.conditions(resource, Subject::Page);
        let Some(at) = resource.field("conditions") else {
            let reason = "the page has no `conditions`, as lists of pages may leave them out";
            let advice = "the page is never active: take the conditions from the page alone";
            self.ledger.left_out(resource, reason, advice);
            self.pages.flaw(id, "the conditions of a page are not in the export");
            return never();
        };
        match carried {
            Ok((conditions, _)) => {
                self.ledger.settle(&at);
                conditions
            }
            Err(reason) => {
                let advice = "the page is never active: rewrite its conditions, then start the campaigns on it";
                self.ledger.left_out(&at, &reason, advice);
                self.pages.flaw(id, &format!("the conditions of a page are left out: {reason}"));
                never()
            }
        }
    }

    fn activation(&mut self, at: &At<'e>, id: &str, fields: &mut Map<String, Value>) {
        let refused = self.rejections.against(&at.location, "activation");
        let Ok(kind) = self.word(at, "activation_type", ACTIVATIONS) else {
            self.unknown_activation(at, id, fields, "its activation is unknown to Assay");
            return;
        };
        let kind = kind.unwrap_or("immediate");
        let takes_code = matches!(kind, "polling" | "callback");
        let code = self.text(at, "activation_code");
        let place = at.field("activation_code").unwrap_or_else(|| at.clone());
        if !takes_code {
            if code.is_some() {
                let message = format!("code means nothing beside the activation `{kind}`");
                self.ledger.note(Outcome::LeftOut, &place.location, message, "");
            }
            fields.insert("activation".to_owned(), json!({"type": kind}));
            return;
        }
        let purpose = if kind == "polling" { Purpose::Value } else { Purpose::Activation };
        if let Some(body) = code.as_deref().and_then(|code| body(code, purpose, refused.len())) {
            self.check_code(&place, code.as_deref().unwrap_or_default());
            fields.insert("activation".to_owned(), json!({"type": kind, "code": body}));
        } else {
            let reason = refused.last().map_or("there is no code", String::as_str);
            self.ledger.left_out(&place, reason, "write the activation anew");
            self.unknown_activation(at, id, fields, reason);
        }
    }

    /// A page whose moment is unknown has none: the site has to say it.
    fn unknown_activation(
        &mut self,
        at: &At<'e>,
        id: &str,
        fields: &mut Map<String, Value>,
        reason: &str,
    ) {
        let message = "the page is activated by hand only (`manual`)";
        self.ledger.note(Outcome::Changed, &at.location, message, "write its activation anew");
        self.pages.flaw(id, &format!("the activation of a page is left out: {reason}"));
        fields.insert("activation".to_owned(), json!({"type": "manual"}));
    }
}
