//! Collects the faults of a document and puts them in order.

use super::tree::Mark;
use crate::limits::{MAX_FAULTS, MAX_MESSAGE_LENGTH};
use crate::{Fault, Place, Pointer, Severity};

/// The faults found so far in one file.
pub(super) struct Faults<'a> {
    file: &'a str,
    errors: Bounded,
    warnings: Bounded,
}

/// The first few faults of one severity.
#[derive(Default)]
struct Bounded {
    found: Vec<Fault>,
    left_out: usize,
}

impl<'a> Faults<'a> {
    /// None yet, in this file.
    pub(super) fn new(file: &'a str) -> Self {
        Self { file, errors: Bounded::default(), warnings: Bounded::default() }
    }

    /// One more, at this place of the file.
    pub(super) fn push(&mut self, mark: Mark, fault: Fault) {
        let place = self.place(mark);
        match fault.severity {
            Severity::Error => self.errors.push(fault.at(Some(place))),
            Severity::Warning => self.warnings.push(fault.at(Some(place))),
        }
    }

    /// Whether further errors are only counted, so that nobody need look for hints.
    pub(super) fn is_full(&self) -> bool {
        self.errors.found.len() >= MAX_FAULTS
    }

    /// The faults: errors first, then warnings, each in the order of the text.
    pub(super) fn finish(self) -> Vec<Fault> {
        let start = self.place(Mark::START);
        let errors = self.errors.finish(|left_out| {
            let message = format!("{left_out} more errors are not shown");
            Fault::error("too_many_errors", Pointer::root(), message).at(Some(start.clone()))
        });
        let warnings = self.warnings.finish(|left_out| {
            let message = format!("{left_out} more warnings are not shown");
            Fault::warning("too_many_warnings", Pointer::root(), message).at(Some(start.clone()))
        });
        [errors, warnings].concat()
    }

    fn place(&self, mark: Mark) -> Place {
        Place { file: self.file.to_owned(), line: mark.line, column: mark.column }
    }
}

impl Bounded {
    fn push(&mut self, mut fault: Fault) {
        if self.found.len() >= MAX_FAULTS {
            self.left_out += 1;
            return;
        }
        // Messages quote the document, which may hold anything.
        if let Some((end, _)) = fault.message.char_indices().nth(MAX_MESSAGE_LENGTH) {
            fault.message.truncate(end);
            fault.message.push('…');
        }
        self.found.push(fault);
    }

    fn finish(mut self, counted: impl FnOnce(usize) -> Fault) -> Vec<Fault> {
        self.found
            .sort_by_key(|fault| fault.place.as_ref().map(|place| (place.line, place.column)));
        if self.left_out > 0 {
            self.found.push(counted(self.left_out));
        }
        self.found
    }
}
