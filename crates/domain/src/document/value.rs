//! Builds a tree from a JSON value in memory, such as a draft that a member edits. The tree borrows the value's texts.

use serde_json::Value;

use super::shared_document::{Field, SharedDocument};
use super::tree::{Entry, Mark, Node, Shape, Style};
use crate::limits::{MAX_DOCUMENT_BYTES, MAX_NESTING, MAX_VALUES};
use crate::{Fault, Pointer};

/// The tree of a value. Marks count values, to put faults in order.
///
/// # Errors
/// The limit that the value exceeds.
pub(super) fn grow(value: &Value) -> Result<Node<'_>, Box<Fault>> {
    Growth { values: 0, bytes: 0 }.node(value, 0)
}

/// The same for a document with shared resources.
///
/// # Errors
/// The limit that the document exceeds.
pub(super) fn grow_shared(document: &SharedDocument) -> Result<Node<'_>, Box<Fault>> {
    let mut growth = Growth { values: 0, bytes: 0 };
    let mark = growth.mark(0)?;
    let mut entries = Vec::with_capacity(document.fields().len());
    for (name, field) in document.fields() {
        let name = growth.text(name)?.into();
        let node = match field {
            Field::Value(value) => growth.node(value, 1)?,
            Field::List(resources) => {
                let mark = growth.mark(1)?;
                let resources = resources.iter().map(|resource| growth.node(resource, 2));
                Node { mark, shape: Shape::List(resources.collect::<Result<_, _>>()?) }
            }
        };
        entries.push(Entry { name, mark: node.mark, node });
    }
    Ok(Node { mark, shape: Shape::Object(entries) })
}

/// The values and bytes counted so far.
struct Growth {
    values: usize,
    bytes: usize,
}

impl Growth {
    fn node<'v>(&mut self, value: &'v Value, depth: usize) -> Result<Node<'v>, Box<Fault>> {
        let mark = self.mark(depth)?;
        let shape = match value {
            Value::Null => Shape::Null,
            Value::Bool(truth) => Shape::Bool(*truth),
            Value::Number(number) => Shape::Number(number.clone()),
            Value::String(text) => Shape::Text(self.text(text)?.into(), Style::DoubleQuoted),
            Value::Array(elements) => {
                let mut nodes = Vec::with_capacity(elements.len());
                for element in elements {
                    nodes.push(self.node(element, depth + 1)?);
                }
                Shape::List(nodes)
            }
            Value::Object(fields) => {
                let mut entries = Vec::with_capacity(fields.len());
                for (name, value) in fields {
                    let name = self.text(name)?.into();
                    let node = self.node(value, depth + 1)?;
                    entries.push(Entry { name, mark: node.mark, node });
                }
                Shape::Object(entries)
            }
        };
        Ok(Node { mark, shape })
    }

    /// Counts a value.
    fn mark(&mut self, depth: usize) -> Result<Mark, Box<Fault>> {
        self.values += 1;
        if self.values > MAX_VALUES {
            let message = format!("the document holds more than {MAX_VALUES} values");
            return Err(Fault::error("too_many_values", Pointer::root(), message).into());
        }
        if depth > MAX_NESTING {
            let message = format!("more than {MAX_NESTING} lists and objects inside each other");
            return Err(Fault::error("nested_too_deep", Pointer::root(), message).into());
        }
        Ok(Mark { line: u32::try_from(self.values).unwrap_or(u32::MAX), column: 1 })
    }

    fn text<'v>(&mut self, text: &'v str) -> Result<&'v str, Box<Fault>> {
        self.bytes = self.bytes.saturating_add(text.len());
        if self.bytes > MAX_DOCUMENT_BYTES {
            let message =
                format!("the texts of the document have more than {MAX_DOCUMENT_BYTES} bytes");
            return Err(Fault::error("document_too_long", Pointer::root(), message).into());
        }
        Ok(text)
    }
}
