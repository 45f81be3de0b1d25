//! Somebody asks what the live revision of a project decides.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use domain::ProjectId;
use storage::{Revision, StorageError};

use crate::App;
use crate::decisions::prepared_project::PreparedProject;
use crate::projects::{live_snippet, project_of};

/// The live revisions that somebody asked about, in memory, each with its snippet's hash.
#[derive(Debug, Default)]
pub struct DeciderShelf {
    prepared: RwLock<HashMap<ProjectId, (String, Arc<PreparedProject>)>>,
}

impl DeciderShelf {
    fn find(&self, id: ProjectId, hash: &str) -> Option<Arc<PreparedProject>> {
        let prepared = self.prepared.read().unwrap_or_else(PoisonError::into_inner);
        let (_, project) = prepared.get(&id).filter(|(known, _)| known == hash)?;
        Some(Arc::clone(project))
    }

    fn put(&self, id: ProjectId, hash: String, project: Arc<PreparedProject>) {
        let mut prepared = self.prepared.write().unwrap_or_else(PoisonError::into_inner);
        prepared.insert(id, (hash, project));
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
    let Some(snippet) = live_snippet(app, id).await? else { return Ok(None) };
    if let Some(project) = app.deciders().find(id, &snippet.hash) {
        return Ok(Some(project));
    }
    let Some(revision) = app.store().find_revision(id, &snippet.hash).await? else {
        return Ok(None);
    };
    let project = Arc::new(prepare(revision).await?);
    app.deciders().put(id, snippet.hash.clone(), Arc::clone(&project));
    Ok(Some(project))
}

/// Large documents take milliseconds of pure computation: not on the async threads.
async fn prepare(revision: Revision) -> Result<PreparedProject, StorageError> {
    let work = move || Ok(PreparedProject::new(&project_of(&revision.document)?));
    match tokio::task::spawn_blocking(work).await {
        Ok(prepared) => prepared,
        Err(panic) => Err(StorageError::corrupt(format!("revision: {panic}"))),
    }
}
