//! Writes a document as YAML that people read and review: one entry per line where it fits, one resource per line in lists, code as a
//! block.
//!
//! `yaml_text.rs` writes texts; `brief.rs` decides what to leave out of a project.

use serde_json::{Map, Value};

use super::brief::brief;
use super::yaml_text::{block, quoted_if_needed};
use crate::Project;

/// Columns of a line that holds more than one value.
const MAX_WIDTH: usize = 100;

/// Bytes of a field's name that may stand before its colon without a `?` (YAML 1.2.2, 7.4.3, allows 1024 characters).
const MAX_NAME_BYTES: usize = 1000;

impl Project {
    /// The project as a YAML document that reads as an equal project. Fields with their default value are left out.
    ///
    /// # Panics
    /// Never: a project always serializes.
    #[must_use]
    pub fn to_yaml(&self) -> String {
        to_yaml(&self.to_brief())
    }

    /// The same as a JSON document.
    ///
    /// # Panics
    /// Never: a project always serializes.
    #[must_use]
    pub fn to_json(&self) -> String {
        format!("{:#}\n", self.to_brief())
    }

    fn to_brief(&self) -> Value {
        brief(serde_json::to_value(self).expect("a project is always JSON"))
    }
}

/// A value as a YAML document.
fn to_yaml(value: &Value) -> String {
    let mut yaml = String::new();
    match inside(value, None) {
        Inside::Fields(fields) => write_fields(&mut yaml, fields, 0),
        Inside::Elements(elements) => write_elements(&mut yaml, elements, 0),
        Inside::Line => write_after(&mut yaml, value, 0),
    }
    yaml
}

fn write_fields(yaml: &mut String, fields: &Map<String, Value>, indent: usize) {
    for (index, (name, value)) in fields.iter().enumerate() {
        if index > 0 {
            pad(yaml, indent);
        }
        let name = quoted_if_needed(name);
        if name.len() > MAX_NAME_BYTES {
            yaml.extend(["? ", &name, "\n"]);
            pad(yaml, indent);
        } else {
            yaml.push_str(&name);
        }
        yaml.push(':');
        write_value(yaml, value, indent, indent + name.chars().count() + 1);
    }
}

/// Writes a value after the colon of its field, which ends at `column` of a line that starts at column `indent`, and ends the value's last
/// line.
pub(super) fn write_value(yaml: &mut String, value: &Value, indent: usize, column: usize) {
    match inside(value, Some(column)) {
        Inside::Fields(fields) => {
            next_line(yaml, indent + 2);
            write_fields(yaml, fields, indent + 2);
        }
        Inside::Elements(elements) => {
            next_line(yaml, indent + 2);
            write_elements(yaml, elements, indent + 2);
        }
        Inside::Line => {
            yaml.push(' ');
            write_after(yaml, value, indent);
        }
    }
}

fn write_elements(yaml: &mut String, elements: &[Value], indent: usize) {
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            pad(yaml, indent);
        }
        write_element(yaml, element, indent);
    }
}

/// Writes an element of a list with its dash at column `indent`, and ends its last line.
pub(super) fn write_element(yaml: &mut String, element: &Value, indent: usize) {
    yaml.push_str("- ");
    match inside(element, Some(indent + 2)) {
        Inside::Fields(fields) => write_fields(yaml, fields, indent + 2),
        Inside::Elements(elements) => write_elements(yaml, elements, indent + 2),
        Inside::Line => write_after(yaml, element, indent),
    }
}

/// The parts of a value that have lines of their own.
enum Inside<'v> {
    Fields(&'v Map<String, Value>),
    Elements(&'v [Value]),
    /// None: all of it is on one line, or it is a text.
    Line,
}

/// `column` is where the parent's text ends on this line; the whole document has no parent, and has a line for each of its parts.
fn inside(value: &Value, column: Option<usize>) -> Inside<'_> {
    let is_line = column.is_some_and(|column| fits(value, column));
    match value {
        Value::Object(fields) if !is_line && !fields.is_empty() => Inside::Fields(fields),
        Value::Array(elements) if !is_line && !elements.is_empty() => Inside::Elements(elements),
        Value::Object(_)
        | Value::Array(_)
        | Value::String(_)
        | Value::Number(_)
        | Value::Bool(_)
        | Value::Null => Inside::Line,
    }
}

/// Writes a value after its parent, on a line that starts at column `indent`, and ends the value's last line.
fn write_after(yaml: &mut String, value: &Value, indent: usize) {
    if let Some((mark, lines)) = value.as_str().and_then(block) {
        yaml.push_str(mark);
        for line in lines {
            yaml.push('\n');
            if !line.is_empty() {
                pad(yaml, indent + 2);
                yaml.push_str(line);
            }
        }
    } else {
        yaml.push_str(&flow(value));
    }
    yaml.push('\n');
}

fn pad(yaml: &mut String, indent: usize) {
    yaml.extend(std::iter::repeat_n(' ', indent));
}

fn next_line(yaml: &mut String, indent: usize) {
    yaml.push('\n');
    pad(yaml, indent);
}

/// Whether a list or an object fits on one line, from `column` on.
fn fits(value: &Value, column: usize) -> bool {
    can_flow(value) && column + flow(value).chars().count() < MAX_WIDTH
}

/// A list of resources has a line for each, so that adding or removing one changes one line.
fn can_flow(value: &Value) -> bool {
    match value {
        Value::Array(elements) => {
            let is_list_of_resources =
                elements.iter().all(Value::is_object) && !elements.is_empty();
            !is_list_of_resources && elements.iter().all(can_flow)
        }
        Value::Object(fields) => fields.values().all(can_flow),
        Value::String(text) => block(text).is_none(),
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}

/// A value on one line.
pub(super) fn flow(value: &Value) -> String {
    match value {
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(flow).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Object(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(name, value)| format!("{}: {}", quoted_if_needed(name), flow(value)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        Value::String(text) => quoted_if_needed(text),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}
