//! Grows the tree of a document from what a reader meets, upholds its limits and refuses repeated
//! fields.

use std::collections::HashSet;

use super::tree::{Entry, Mark, Node, Shape};
use crate::limits::{MAX_FAULTS, MAX_NESTING, MAX_VALUES};
use crate::{Fault, Pointer};

/// What came of a text: a tree, unless it could not be read to its end, and what is wrong with it.
#[derive(Default)]
pub(super) struct Grown {
    pub(super) root: Option<Node<'static>>,
    pub(super) faults: Vec<(Mark, Fault)>,
}

/// The reader need not go on: a fault says why.
pub(super) struct Stop;

/// Grows a tree.
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
    /// A value that holds no others.
    pub(super) fn value(&mut self, mark: Mark, shape: Shape<'static>) -> Result<(), Stop> {
        self.values += 1;
        if self.values > MAX_VALUES {
            let message = format!("the document holds more than {MAX_VALUES} values");
            return self.stop(mark, "too_many_values", message);
        }
        self.put(Node { mark, shape });
        Ok(())
    }

    /// The start of a list.
    pub(super) fn open_list(&mut self, mark: Mark) -> Result<(), Stop> {
        self.open(mark, Inside::List(Vec::new()))
    }

    /// The start of an object.
    pub(super) fn open_object(&mut self, mark: Mark) -> Result<(), Stop> {
        self.open(mark, Inside::Object { entries: Vec::new(), names: HashSet::new(), next: None })
    }

    /// The name of the object's next field.
    pub(super) fn name(&mut self, mark: Mark, name: String) {
        if let Some(Open { inside: Inside::Object { next, .. }, .. }) = self.open.last_mut() {
            *next = Some((name, mark));
        }
    }

    /// The end of the list or object that was opened last.
    pub(super) fn close(&mut self) {
        let Some(Open { mark, inside }) = self.open.pop() else { return };
        let shape = match inside {
            Inside::List(elements) => Shape::List(elements),
            Inside::Object { entries, .. } => Shape::Object(entries),
        };
        self.put(Node { mark, shape });
    }

    /// Whether what comes next must be the name of a field.
    pub(super) fn wants_name(&self) -> bool {
        matches!(self.open.last(), Some(Open { inside: Inside::Object { next: None, .. }, .. }))
    }

    /// Where the name of the field stands whose value comes next.
    pub(super) fn name_mark(&self) -> Option<Mark> {
        match self.open.last() {
            Some(Open { inside: Inside::Object { next: Some((_, mark)), .. }, .. }) => Some(*mark),
            _ => None,
        }
    }

    /// Something is wrong here, but the rest can be read.
    pub(super) fn fault(&mut self, mark: Mark, code: &'static str, message: impl Into<String>) {
        self.push(mark, Fault::error(code, self.pointer(), message));
    }

    /// Something is wrong here, and what follows would only mislead.
    pub(super) fn stop(
        &mut self,
        mark: Mark,
        code: &'static str,
        message: impl Into<String>,
    ) -> Result<(), Stop> {
        self.fault(mark, code, message);
        Err(Stop)
    }

    /// What came of the text, which was read to its end.
    pub(super) fn finished(self) -> Grown {
        self.grown
    }

    /// What came of the text, of which the rest was not read.
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

    /// Puts a finished value where it belongs. Of a repeated field the first one stays.
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

    /// Keeps one fault more than are shown, so that it shows that there are more.
    fn push(&mut self, mark: Mark, fault: Fault) {
        if self.grown.faults.len() <= MAX_FAULTS {
            self.grown.faults.push((mark, fault));
        }
    }

    /// Where the reader is.
    fn pointer(&self) -> Pointer {
        self.open.iter().fold(Pointer::root(), |pointer, open| match &open.inside {
            Inside::List(elements) => pointer.element(elements.len()),
            Inside::Object { next: Some((name, _)), .. } => pointer.field(name),
            Inside::Object { next: None, .. } => pointer,
        })
    }
}
