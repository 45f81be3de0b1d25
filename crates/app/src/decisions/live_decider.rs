//! Somebody asks what the live revision of a project decides.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use domain::ProjectId;
use storage::StorageError;

use crate::App;
use crate::decisions::prepared_project::PreparedProject;
use crate::projects::live_number;
use crate::revisions::read_revision;

/// The live revisions that somebody asked about, in memory, each with its number.
#[derive(Debug, Default)]
pub struct DeciderShelf {
    prepared: RwLock<HashMap<ProjectId, (u32, Arc<PreparedProject>)>>,
}

impl DeciderShelf {
    fn find(&self, id: ProjectId, number: u32) -> Option<Arc<PreparedProject>> {
        let prepared = self.prepared.read().unwrap_or_else(PoisonError::into_inner);
        let (_, project) = prepared.get(&id).filter(|(known, _)| *known == number)?;
        Some(Arc::clone(project))
    }

    fn put(&self, id: ProjectId, number: u32, project: Arc<PreparedProject>) {
        let mut prepared = self.prepared.write().unwrap_or_else(PoisonError::into_inner);
        prepared.insert(id, (number, project));
    }
}

/// The live revision of project `id`, ready to decide; `None` if the project is unknown or was never published.
///
/// # Errors
/// If the store does not answer.
pub async fn live_decider(
    app: &App,
    id: ProjectId,
) -> Result<Option<Arc<PreparedProject>>, StorageError> {
    let Some(number) = live_number(app, id).await? else { return Ok(None) };
    if let Some(project) = app.deciders().find(id, number) {
        return Ok(Some(project));
    }
    let Some(live) = read_revision(app, id, number).await? else { return Ok(None) };
    // Large documents take milliseconds of pure computation: not on the async threads.
    let prepared = tokio::task::spawn_blocking(move || PreparedProject::new(&live.project)).await;
    let prepared = prepared.map_err(|panic| StorageError::corrupt(format!("revision: {panic}")))?;
    let project = Arc::new(prepared);
    app.deciders().put(id, number, Arc::clone(&project));
    Ok(Some(project))
}
