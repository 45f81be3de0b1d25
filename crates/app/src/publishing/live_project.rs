//! Finds the live revision of a project.

use std::sync::Arc;

use domain::{Project, ProjectId};
use storage::StorageError;

use crate::App;
use crate::publishing::read_revision;

/// The live revision of a project: its number and its parsed document.
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
