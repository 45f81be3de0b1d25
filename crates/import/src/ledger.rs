//! Keeps account of every value of the export: what became of it, and which values nothing became
//! of, so that nothing is dropped silently.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::Value;

use crate::export_location::At;
use crate::{ExportLocation, Note, Outcome};

/// What became of the export's values so far.
#[derive(Default)]
pub(crate) struct Ledger {
    /// The settled values, each with everything in it.
    settled: BTreeSet<(Rc<str>, String)>,
    notes: Vec<Note>,
}

impl Ledger {
    /// The value, and all in it, is in the document or needs no mention.
    pub(crate) fn settle(&mut self, at: &At<'_>) {
        self.settled.insert(key(&at.location));
    }

    /// The same, if there is such a value.
    pub(crate) fn settle_any(&mut self, at: Option<&At<'_>>) {
        if let Some(at) = at {
            self.settle(at);
        }
    }

    /// The value, and all in it, is not in the document.
    pub(crate) fn left_out(&mut self, at: &At<'_>, message: impl Into<String>, advice: &str) {
        self.settle(at);
        self.note(Outcome::LeftOut, &at.location, message, advice);
    }

    /// The value, and all in it, is in the document in another form.
    pub(crate) fn changed(&mut self, at: &At<'_>, message: impl Into<String>, advice: &str) {
        self.settle(at);
        self.note(Outcome::Changed, &at.location, message, advice);
    }

    /// Tells something of the value without settling its fate.
    pub(crate) fn note(
        &mut self,
        outcome: Outcome,
        location: &ExportLocation,
        message: impl Into<String>,
        advice: &str,
    ) {
        let (message, advice) = (message.into(), advice.to_owned());
        self.notes.push(Note { outcome, location: location.clone(), message, advice });
    }

    /// Names every value of `at` that has no fate yet, each as large a part as has none at all.
    pub(crate) fn name_the_rest(&mut self, at: &At<'_>) {
        if is_nothing(at.value) || self.settled.contains(&key(&at.location)) {
            return;
        }
        let is_whole_file = at.location.pointer.as_str().is_empty();
        let parts = parts(at);
        if !parts.is_empty() && (is_whole_file || self.knows_parts_of(&at.location)) {
            for part in &parts {
                self.name_the_rest(part);
            }
            return;
        }
        let name = at.location.pointer.tokens().last().unwrap_or_default().into_owned();
        self.left_out(at, format!("`{name}` has no counterpart in a project document"), "");
    }

    /// The notes, in the order of the export.
    pub(crate) fn into_notes(self) -> Vec<Note> {
        self.notes
    }

    fn knows_parts_of(&self, location: &ExportLocation) -> bool {
        let (file, pointer) = key(location);
        let inside = format!("{pointer}/");
        let mut after = self.settled.range((file, inside.clone())..);
        after
            .next()
            .is_some_and(|(file, found)| **file == *location.file && found.starts_with(&inside))
    }
}

fn key(location: &ExportLocation) -> (Rc<str>, String) {
    (Rc::clone(&location.file), location.pointer.as_str().to_owned())
}

/// Whether the value contains nothing.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.iter().all(is_nothing),
        Value::Object(fields) => fields.values().all(is_nothing),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The elements or fields of a value.
fn parts<'e>(at: &At<'e>) -> Vec<At<'e>> {
    match at.value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| At { value, location: at.location.field(name) })
            .collect(),
        Value::Array(_) => at.elements(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}
