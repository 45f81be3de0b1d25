//! Reads stored documents. One that cannot be read is named, with its first fault: members repair it.

use std::fmt;

use domain::{Fault, Project, ProjectId, SharedDocument, parse_shared};
use storage::StorageError;

use crate::computation::Stopped;
use crate::documents::CheckedProject;

/// Whose document is stored.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StoredDocument {
    /// That of a project's draft.
    Draft(ProjectId),
    /// That of a project's revision with this number.
    Revision(ProjectId, u32),
}

/// Parses the document of a revision.
pub(crate) fn project_of(whose: StoredDocument, text: &str) -> Result<Project, StorageError> {
    read_stored(whose, text).map(|checked| checked.project)
}

/// Reads a document that was checked before it was stored. Positions in its text are not needed.
pub(crate) fn read_stored(
    whose: StoredDocument,
    text: &str,
) -> Result<CheckedProject, StorageError> {
    let document = serde_json::from_str(text).map_err(|error| whose.unreadable(error))?;
    let read = SharedDocument::of(document).and_then(|document| parse_shared(&document));
    match read {
        Ok((project, warnings)) => Ok(CheckedProject { project, warnings }),
        Err(faults) => Err(whose.unreadable(FirstOf(&faults))),
    }
}

impl StoredDocument {
    /// Reading it ended without a result. A panic is about this document: a member replaces it, as any other that cannot be read.
    pub(crate) fn stopped(self, stopped: Stopped) -> StorageError {
        match stopped {
            Stopped::Panicked(_) => self.unreadable(stopped),
            Stopped::NotDone(_) => stopped.into(),
        }
    }

    /// It cannot be read for this reason.
    pub(crate) fn unreadable(self, why: impl fmt::Display) -> StorageError {
        StorageError::Document(format!("{self} cannot be read: {why}"))
    }
}

impl fmt::Display for StoredDocument {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draft(id) => write!(formatter, "the draft of project {id}"),
            Self::Revision(id, number) => write!(formatter, "revision {number} of project {id}"),
        }
    }
}

/// The first of some faults with its pointer, and how many others there are.
struct FirstOf<'a>(&'a [Fault]);

impl fmt::Display for FirstOf<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, others)) = self.0.split_first() else { return Ok(()) };
        write!(formatter, "{} at `{}`", first.message, first.pointer.as_str())?;
        match others.len() {
            0 => Ok(()),
            1 => formatter.write_str(", and 1 more fault"),
            more => write!(formatter, ", and {more} more faults"),
        }
    }
}
