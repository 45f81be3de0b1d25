//! Builds the tree of a document from what a reader meets, enforces its limits and refuses repeated fields.

use std::collections::HashSet;

use super::tree::{Entry, Mark, Node, Shape};
use crate::limits::{MAX_FAULTS, MAX_NESTING, MAX_VALUES};
use crate::{Fault, Pointer};

/// The result of reading a text: its tree, if the reader reached the end, and its faults.
#[derive(Default)]
pub(super) struct Grown {
    pub(super) root: Option<Node<'static>>,
    pub(super) faults: Vec<(Mark, Fault)>,
}

/// Tells the reader to stop: a fault says why.
pub(super) struct Stop;

/// Builds a tree.
#[derive(Default)]
pub(super) struct Builder {
    grown: Grown,
    open: Vec<Open>,
    values: usize,
}

/// A list or object that has not ended yet.
struct Open {
    mark: Mark,
    inside: Inside,
}

enum Inside {
    List(Vec<Node<'static>>),
    Object { entries: Vec<Entry<'static>>, names: HashSet<String>, next: Option<(String, Mark)> },
}

impl Builder {
    /// Adds a value without children.
    pub(super) fn value(&mut self, mark: Mark, shape: Shape<'static>) -> Result<(), Stop> {
        self.values += 1;
        if self.values > MAX_VALUES {
            let message = format!("the document holds more than {MAX_VALUES} values");
            return self.stop(mark, "too_many_values", message);
        }
        self.put(Node { mark, shape });
        Ok(())
    }

    /// Starts a list.
    pub(super) fn open_list(&mut self, mark: Mark) -> Result<(), Stop> {
        self.open(mark, Inside::List(Vec::new()))
    }

    /// Starts an object.
    pub(super) fn open_object(&mut self, mark: Mark) -> Result<(), Stop> {
        self.open(mark, Inside::Object { entries: Vec::new(), names: HashSet::new(), next: None })
    }

    /// Names the object's next field.
    pub(super) fn name(&mut self, mark: Mark, name: String) {
        if let Some(Open { inside: Inside::Object { next, .. }, .. }) = self.open.last_mut() {
            *next = Some((name, mark));
        }
    }

    /// Ends the list or object that was opened last.
    pub(super) fn close(&mut self) {
        let Some(Open { mark, inside }) = self.open.pop() else { return };
        let shape = match inside {
            Inside::List(elements) => Shape::List(elements),
            Inside::Object { entries, .. } => Shape::Object(entries),
        };
        self.put(Node { mark, shape });
    }

    /// Whether the name of a field must come next.
    pub(super) fn wants_name(&self) -> bool {
        matches!(self.open.last(), Some(Open { inside: Inside::Object { next: None, .. }, .. }))
    }

    /// Where the name of the next value's field stands.
    pub(super) fn name_mark(&self) -> Option<Mark> {
        match self.open.last() {
            Some(Open { inside: Inside::Object { next: Some((_, mark)), .. }, .. }) => Some(*mark),
            _ => None,
        }
    }

    /// Reports a fault here; the reader goes on.
    pub(super) fn fault(&mut self, mark: Mark, code: &'static str, message: impl Into<String>) {
        self.push(mark, Fault::error(code, self.pointer(), message));
    }

    /// Warns of something here.
    pub(super) fn warn(&mut self, mark: Mark, code: &'static str, message: String, hint: &str) {
        self.push(mark, Fault::warning(code, self.pointer(), message).hint(hint));
    }

    /// Reports a fault here and stops, since later faults would mislead.
    pub(super) fn stop(
        &mut self,
        mark: Mark,
        code: &'static str,
        message: impl Into<String>,
    ) -> Result<(), Stop> {
        self.fault(mark, code, message);
        Err(Stop)
    }

    /// The result of a text read to its end.
    pub(super) fn finished(self) -> Grown {
        self.grown
    }

    /// The result of a text whose rest was not read.
    pub(super) fn stopped(self) -> Grown {
        Grown { root: None, ..self.grown }
    }

    fn open(&mut self, mark: Mark, inside: Inside) -> Result<(), Stop> {
        self.values += 1;
        if self.open.len() >= MAX_NESTING {
            let message = format!("more than {MAX_NESTING} lists and objects inside each other");
            return self.stop(mark, "nested_too_deep", message);
        }
        self.open.push(Open { mark, inside });
        Ok(())
    }

    /// Puts a finished value into its parent. Of a repeated field, the first one stays.
    fn put(&mut self, node: Node<'static>) {
        match self.open.last_mut().map(|open| &mut open.inside) {
            None => self.grown.root = Some(node),
            Some(Inside::List(elements)) => elements.push(node),
            Some(Inside::Object { entries, names, next }) => {
                let Some((name, mark)) = next.take() else { return };
                if names.insert(name.clone()) {
                    entries.push(Entry { name: name.into(), mark, node });
                } else {
                    let pointer = self.pointer().field(&name);
                    let message = "the field is there twice";
                    self.push(mark, Fault::error("repeated_field", pointer, message));
                }
            }
        }
    }

    /// Keeps one fault more than messages show, to tell that there are more: of errors, and of warnings, which must leave room for errors.
    fn push(&mut self, mark: Mark, fault: Fault) {
        let alike = self.grown.faults.iter().filter(|(_, kept)| kept.severity == fault.severity);
        if alike.count() <= MAX_FAULTS {
            self.grown.faults.push((mark, fault));
        }
    }

    /// The pointer to the reader's position.
    fn pointer(&self) -> Pointer {
        self.open.iter().fold(Pointer::root(), |pointer, open| match &open.inside {
            Inside::List(elements) => pointer.element(elements.len()),
            Inside::Object { next: Some((name, _)), .. } => pointer.field(name),
            Inside::Object { next: None, .. } => pointer,
        })
    }
}
