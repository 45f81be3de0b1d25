//! Collects the faults of a document and puts them in order.

use std::collections::HashMap;

use super::addresses::pointers;
use super::tree::{Address, Mark, Node};
use crate::limits::{MAX_FAULTS, MAX_MESSAGE_LENGTH};
use crate::{Fault, Pointer, Severity, SourceLocation};

/// The faults found so far in one document.
pub(super) struct Faults<'a> {
    /// `None` for a document that came from no file.
    file: Option<&'a str>,
    errors: Bounded,
    warnings: Bounded,
}

/// The first few faults of one severity.
#[derive(Default)]
struct Bounded {
    found: Vec<FoundFault>,
    left_out: usize,
}

/// A fault, and the value that is wrong; `None` if the fault knows its pointer.
struct FoundFault {
    mark: Mark,
    value: Option<Address>,
    fault: Fault,
}

impl<'a> Faults<'a> {
    /// Starts without faults; `file` names the document's file.
    pub(super) fn new(file: Option<&'a str>) -> Self {
        Self { file, errors: Bounded::default(), warnings: Bounded::default() }
    }

    /// Adds a fault at this place of the file.
    pub(super) fn push(&mut self, mark: Mark, fault: Fault) {
        self.add(FoundFault { mark, value: None, fault });
    }

    /// Adds a fault of this value; `finish` finds its pointer.
    pub(super) fn push_at(&mut self, node: &Node<'_>, mark: Mark, fault: Fault) {
        self.add(FoundFault { mark, value: Some(node.address()), fault });
    }

    fn add(&mut self, found: FoundFault) {
        match found.fault.severity {
            Severity::Error => self.errors.push(found),
            Severity::Warning => self.warnings.push(found),
        }
    }

    /// Whether further errors are only counted, so that the reader need not look for hints.
    pub(super) fn is_full(&self) -> bool {
        self.errors.found.len() >= MAX_FAULTS
    }

    /// The faults: errors first, then warnings, each in the order of the text. `root` is the tree whose values they are about.
    pub(super) fn finish(self, root: Option<&Node<'_>>) -> Vec<Fault> {
        let Self { file, errors, warnings } = self;
        let errors = errors.finish(|left_out| {
            let message = format!("{left_out} more errors are not shown");
            Fault::error("too_many_errors", Pointer::root(), message)
        });
        let warnings = warnings.finish(|left_out| {
            let message = format!("{left_out} more warnings are not shown");
            Fault::warning("too_many_warnings", Pointer::root(), message)
        });
        let found: Vec<FoundFault> = errors.into_iter().chain(warnings).collect();
        let values = found.iter().filter_map(|found| found.value).collect();
        let pointers = root.map(|root| pointers(root, &values)).unwrap_or_default();
        found.into_iter().map(|found| found.located(&pointers, file)).collect()
    }
}

impl FoundFault {
    fn located(self, pointers: &HashMap<Address, Pointer>, file: Option<&str>) -> Fault {
        let Self { mark, value, mut fault } = self;
        if let Some(pointer) = value.and_then(|value| pointers.get(&value)) {
            fault.pointer = pointer.clone();
        }
        let Mark { line, column } = mark;
        fault.at(file.map(|file| SourceLocation { file: file.to_owned(), line, column }))
    }
}

impl Bounded {
    fn push(&mut self, mut found: FoundFault) {
        if self.found.len() >= MAX_FAULTS {
            self.left_out += 1;
            return;
        }
        // Messages quote the document, whose texts may be long.
        let message = &mut found.fault.message;
        if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE_LENGTH) {
            message.truncate(end);
            message.push('…');
        }
        self.found.push(found);
    }

    fn finish(mut self, counted: impl FnOnce(usize) -> Fault) -> Vec<FoundFault> {
        self.found.sort_by_key(|found| found.mark);
        if self.left_out > 0 {
            let fault = counted(self.left_out);
            self.found.push(FoundFault { mark: Mark::START, value: None, fault });
        }
        self.found
    }
}
