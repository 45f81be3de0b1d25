//! Reads stored documents.

use domain::{Project, SharedDocument, parse_shared};
use storage::StorageError;

use crate::documents::CheckedProject;

/// Parses the document of a revision.
pub(crate) fn project_of(document: &str) -> Result<Project, StorageError> {
    read_stored(document).map(|checked| checked.project)
}

/// Reads a document that was checked before it was stored. Positions in its text are not needed.
pub(crate) fn read_stored(document: &str) -> Result<CheckedProject, StorageError> {
    let document = serde_json::from_str(document)
        .map_err(|error| StorageError::corrupt(format!("document: {error}")))?;
    let read = SharedDocument::of(document).and_then(|document| parse_shared(&document));
    match read {
        Ok((project, warnings)) => Ok(CheckedProject { project, warnings }),
        Err(faults) => Err(StorageError::corrupt(format!("document: {} faults", faults.len()))),
    }
}
