//! The text of a visit that a program wrote as JSON, and where in it something stands.

use decide::Visit;
use domain::{Fault, Place, Pointer};
use serde_json::error::Category;
use serde_json::{Error, Map, Value, json};

/// Longest visit in bytes: browsers send cookies and addresses of a few kilobytes each, and a visitor who remembers a thousand
/// variations needs thirty more.
pub const VISIT_BYTES_AT_MOST: usize = 64 * 1024;

/// A visit as JSON, and where it comes from.
#[derive(Debug, Clone, Copy)]
pub struct VisitText<'t> {
    /// What faults call the file that it is in.
    pub file: &'t str,
    /// The line of that file in which it begins, from 1.
    pub line: u32,
    /// The JSON.
    pub text: &'t str,
}

impl VisitText<'_> {
    /// The visit, or the first fault.
    pub(super) fn read(self) -> Result<Visit, Box<Fault>> {
        serde_json::from_str(self.text).map_err(|error| {
            let fault = fault(self.text, &error);
            let place = if error.is_data() {
                self.place_of_value(&fault.pointer)
            } else {
                // Both count from 1; 0 stands for a text that has not even begun.
                self.place(error.line().max(1), error.column().max(1))
            };
            fault.at(place).into()
        })
    }

    /// Where a name is written in a field; where the field begins if it is not there.
    pub(super) fn place_of(self, field: &str, name: &str) -> Option<Place> {
        let field = self.text.find(&quoted(field)).unwrap_or_default();
        let found = self.text[field..].find(&quoted(name)).map_or(field, |found| field + found);
        let before = &self.text[..found];
        let line_start = before.rfind('\n').map_or(0, |line_end| line_end + 1);
        self.place(before.matches('\n').count() + 1, found - line_start + 1)
    }

    fn place_of_value(self, pointer: &Pointer) -> Option<Place> {
        let mut names = pointer.tokens();
        match (names.next(), names.next()) {
            (Some(field), Some(name)) => self.place_of(&field, &name),
            (Some(field), None) => self.place_of(&field, &field),
            (None, _) => self.place(1, 1),
        }
    }

    /// The place of a byte, given its line and column from 1. People count characters.
    fn place(self, line: usize, column: usize) -> Option<Place> {
        let written = self.text.lines().nth(line - 1).unwrap_or_default().as_bytes();
        let before = &written[..written.len().min(column - 1)];
        let characters = String::from_utf8_lossy(before).chars().count();
        Some(Place {
            file: self.file.to_owned(),
            line: self.line + u32::try_from(line - 1).ok()?,
            column: u32::try_from(characters + 1).ok()?,
        })
    }
}

/// The visit that a value stands for, or the first fault.
pub(super) fn visit_of(value: Value) -> Result<Visit, Box<Fault>> {
    let text = value.to_string();
    serde_json::from_value(value).map_err(|error| fault(&text, &error).into())
}

fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}

fn fault(text: &str, error: &Error) -> Fault {
    let message = words(error);
    match error.classify() {
        Category::Data => unsuitable(culprit(text), &message),
        Category::Syntax | Category::Eof | Category::Io => {
            let message = format!("not readable as JSON: {message}");
            Fault::error("unreadable", Pointer::root(), message)
        }
    }
}

fn unsuitable(pointer: Pointer, message: &str) -> Fault {
    let fault = Fault::error("unsuitable", pointer, message);
    let mut names = message.split('`').skip(1).step_by(2);
    match names.next().filter(|_| message.starts_with("unknown field")) {
        Some(given) => fault.did_you_mean(given, names),
        None => fault,
    }
}

/// What serde says without the place, which we tell in our own way.
fn words(error: &Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((words, _)) => words.to_owned(),
        None => text,
    }
}

/// Where the value is that serde refused, and does not name: it is the one that is refused alone, too.
fn culprit(text: &str) -> Pointer {
    let Ok(Value::Object(fields)) = serde_json::from_str(text) else { return Pointer::root() };
    let refused = fields.into_iter().find(|(name, value)| is_refused(name, value));
    refused.map_or_else(Pointer::root, |(name, value)| culprit_in(&name, value))
}

fn culprit_in(name: &str, value: Value) -> Pointer {
    let field = Pointer::root().field(name);
    let inside = match value {
        Value::Object(entries) => entries
            .into_iter()
            .find(|(key, entry)| is_refused(name, &json!({key: entry})))
            .map(|(key, _)| field.field(&key)),
        Value::Array(elements) => elements
            .iter()
            .position(|element| is_refused(name, &json!([element])))
            .map(|index| field.element(index)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    };
    inside.unwrap_or(field)
}

/// Whether no visit can have this field.
fn is_refused(name: &str, value: &Value) -> bool {
    let required = [("visitor_id", "somebody"), ("url", "https://somewhere.example/")];
    let mut visit: Map<String, Value> =
        required.into_iter().map(|(name, value)| (name.to_owned(), Value::from(value))).collect();
    visit.insert(name.to_owned(), value.clone());
    serde_json::from_value::<Visit>(Value::Object(visit)).is_err()
}
