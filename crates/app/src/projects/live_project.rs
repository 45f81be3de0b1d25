//! Which revision of a project is live, and its document, read again.

use std::sync::Arc;

use domain::{Project, ProjectId, SharedDocument, parse_shared};
use storage::StorageError;

use crate::App;
use crate::projects::CheckedProject;
use crate::revisions::read_revision;

/// The live revision of a project: its number, and what its document says.
pub(crate) struct LiveProject {
    pub(crate) number: u32,
    pub(crate) project: Arc<Project>,
}

/// The number of the live revision of project `id`; `None` if the project is unknown or was never published.
pub(crate) async fn live_number(app: &App, id: ProjectId) -> Result<Option<u32>, StorageError> {
    app.store().live_number(id, app.now()).await
}

/// The live revision of project `id`; `None` if the project is unknown or was never published.
pub(crate) async fn live_project(
    app: &App,
    id: ProjectId,
) -> Result<Option<LiveProject>, StorageError> {
    let Some(number) = live_number(app, id).await? else { return Ok(None) };
    let revision = read_revision(app, id, number).await?;
    Ok(revision.map(|revision| LiveProject { number, project: Arc::clone(&revision.project) }))
}

/// What the document of a revision says.
pub(crate) fn project_of(document: &str) -> Result<Project, StorageError> {
    read_stored(document).map(|checked| checked.project)
}

/// What a document says that was checked before it was stored. Where in its text things stand is nobody's concern.
pub(crate) fn read_stored(document: &str) -> Result<CheckedProject, StorageError> {
    let document = serde_json::from_str(document)
        .map_err(|error| StorageError::corrupt(format!("document: {error}")))?;
    let read = SharedDocument::of(document).and_then(|document| parse_shared(&document));
    match read {
        Ok((project, warnings)) => Ok(CheckedProject { project, warnings }),
        Err(faults) => Err(StorageError::corrupt(format!("document: {} faults", faults.len()))),
    }
}
