//! The state of one round of an import, and how it begins and finishes a resource.
//!
//! How single fields are read is in `field.rs`; there is a file for each kind of resource.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::Export;
use crate::export_location::At;
use crate::identity::{Known, can_be_kept, id_text, name_of};
use crate::ledger::Ledger;
use crate::passed_over::fields_of;
use crate::project::Chosen;
use crate::rejections::{FROM, Rejections};
use crate::{ExportLocation, Outcome};

/// One round of an import.
pub(crate) struct Importer<'e> {
    pub(crate) export: &'e Export,
    pub(crate) rejections: &'e Rejections,
    pub(crate) ledger: Ledger,
    pub(crate) attributes: Known,
    pub(crate) events: Known,
    pub(crate) pages: Known,
    pub(crate) audiences: Known,
    /// The campaigns by their own ids, and the keys they have.
    pub(crate) campaigns: Known,
    /// The campaign of each stand-alone experiment, by the experiment's id.
    pub(crate) stand_alone: Known,
    /// Pages that were made for one campaign, and those of the export.
    pub(crate) all_pages: Vec<Value>,
    /// Why nothing may run, if so.
    pub(crate) flaw_of_all: Option<String>,
    /// Keys of pages, audiences and events that something needs which can run.
    pub(crate) needed: HashSet<(&'static str, String)>,
    project: String,
    is_only_project: bool,
    locations: Vec<ExportLocation>,
    taken: HashSet<(&'static str, String)>,
}

/// Fields that are made another way when they are objected to.
const MADE_ANOTHER_WAY: &[&str] = &["activation", "audiences", "conditions", "javascript"];

/// A resource before it has a key.
pub(crate) struct Resource {
    /// Its id in the export.
    pub(crate) id: Option<String>,
    pub(crate) name: Option<String>,
    /// Whether the document has the same id.
    pub(crate) keeps_id: bool,
}

impl<'e> Importer<'e> {
    pub(crate) fn new(export: &'e Export, rejections: &'e Rejections, chosen: &Chosen<'e>) -> Self {
        Self {
            export,
            rejections,
            ledger: Ledger::default(),
            attributes: Known::default(),
            events: Known::default(),
            pages: Known::default(),
            audiences: Known::default(),
            campaigns: Known::default(),
            stand_alone: Known::default(),
            all_pages: Vec::new(),
            flaw_of_all: None,
            needed: HashSet::new(),
            project: chosen.id.clone(),
            is_only_project: chosen.is_only_one,
            locations: Vec::new(),
            taken: HashSet::new(),
        }
    }

    /// The locations that the document's marks number.
    pub(crate) fn locations(&self) -> &[ExportLocation] {
        &self.locations
    }

    /// The resources of a kind that belong to the project. Others are counted in a note.
    pub(crate) fn resources(&mut self, kind: &'static str) -> Vec<At<'e>> {
        let mut own = Vec::new();
        let mut others = Vec::new();
        for at in self.export.resources(kind) {
            if !at.value.is_object() {
                self.ledger.left_out(&at, "this is not an object", "");
                continue;
            }
            match at.field("project_id").map(|at| id_text(at.value)) {
                Some(Some(id)) if id == self.project => own.push(at),
                None if self.is_only_project => own.push(at),
                None => self.ledger.left_out(&at, "it does not tell its `project_id`", ""),
                Some(_) => others.push(at),
            }
        }
        for at in &others {
            self.ledger.settle(at);
        }
        if let Some(first) = others.first() {
            let message = match others.len() {
                1 => "it belongs to another project".to_owned(),
                count => format!("this and others belong to other projects: {count} {kind}"),
            };
            self.ledger.note(
                Outcome::LeftOut,
                &first.location,
                message,
                "import each project apart",
            );
        }
        own
    }

    /// Begins a resource: its id and name. `None` when the export has it twice, or it is nothing that
    /// has fields.
    pub(crate) fn begin(&mut self, at: &At<'e>, kind: &'static str) -> Option<Resource> {
        if !at.value.is_object() {
            self.ledger.left_out(at, "this is not an object", "");
            return None;
        }
        let id_at = at.field("id").or_else(|| at.field(&format!("{kind}_id")));
        let id = id_at.as_ref().and_then(|at| id_text(at.value));
        if let Some(id) = &id
            && !self.taken.insert((kind, id.clone()))
        {
            let message = format!("another {kind} has the id `{id}`, too");
            self.ledger.left_out(at, message, "see whether the export has the same part twice");
            return None;
        }
        self.pass_over(at, kind);
        if let Some(at) = at.field("project_id") {
            self.ledger.settle(&at);
        }
        let keeps_id = id.as_deref().is_some_and(can_be_kept);
        if let Some(at) = id_at.as_ref().filter(|_| keeps_id) {
            self.ledger.settle(at);
        } else {
            self.tell_of_new_id(at, id_at.as_ref(), kind);
        }
        Some(Resource { id, name: self.name(at), keeps_id })
    }

    fn tell_of_new_id(&mut self, at: &At<'e>, id_at: Option<&At<'e>>, kind: &str) {
        let advice = "whatever knows the old id, such as reports, has to learn the new one";
        if let Some(id_at) = id_at {
            let message = format!("the {kind} gets another id: ids are whole numbers below 2^53");
            self.ledger.changed(id_at, message, advice);
        } else {
            let message =
                format!("the {kind} has no id in Optimizely, and gets one made from its key");
            self.ledger.note(Outcome::Changed, &at.location, message, "");
        }
    }

    /// Passes over the fields for which Assay has no place.
    pub(crate) fn pass_over(&mut self, at: &At<'e>, kind: &'static str) {
        for field in fields_of(kind) {
            if let Some(at) = at.field(field) {
                self.ledger.settle(&at);
            }
        }
    }

    fn name(&mut self, at: &At<'e>) -> Option<String> {
        let text = self.text(at, "name")?;
        let name = name_of(&text);
        if name != text {
            let at = at.field("name")?;
            let message =
                format!("the name becomes `{name}`: names are 200 characters on one line");
            self.ledger.changed(&at, message, "");
        }
        Some(name).filter(|name| !name.is_empty())
    }

    /// The first fields of a resource: where it comes from, id, key and name.
    pub(crate) fn start(
        &mut self,
        at: &At<'e>,
        resource: &Resource,
        key: &str,
    ) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert(FROM.to_owned(), self.mark(at));
        if let Some(id) = resource.id.as_ref().filter(|_| resource.keeps_id) {
            fields.insert("id".to_owned(), json!(id));
        }
        fields.insert("key".to_owned(), json!(key));
        fields.insert("name".to_owned(), json!(resource.name));
        fields
    }

    /// The mark of a value's origin.
    pub(crate) fn mark(&mut self, at: &At<'e>) -> Value {
        self.locations.push(at.location.clone());
        json!(self.locations.len() - 1)
    }

    /// A resource without the fields that were objected to, but for those that were made another way.
    pub(crate) fn finish(&mut self, at: &At<'e>, mut fields: Map<String, Value>) -> Value {
        for (field, reason) in self.rejections.all_against(&at.location) {
            if !MADE_ANOTHER_WAY.contains(&field) && fields.shift_remove(field).is_some() {
                let at = at.field(field).unwrap_or_else(|| at.clone());
                self.ledger.left_out(&at, format!("`{field}`: {reason}"), "");
            }
        }
        Value::Object(fields)
    }

    /// Why something made of the value cannot be in the document, if that was found out.
    pub(crate) fn rejection(&self, at: &At<'e>, field: &str) -> Option<&'e str> {
        self.rejections.against(&at.location, field).last().map(String::as_str)
    }

    /// Why anything of something made of the value cannot be in the document.
    pub(crate) fn any_rejection(&self, at: &At<'e>) -> Option<&'e str> {
        self.rejections.all_against(&at.location).first().map(|(_, reason)| *reason)
    }
}
