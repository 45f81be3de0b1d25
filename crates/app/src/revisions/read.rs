//! The document of a revision, read and understood.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use domain::{Project, ProjectId};
use serde_json::Value;
use storage::{ProjectHead, StorageError};

use crate::App;
use crate::projects::project_of;

/// Enough for all who work at one time; the largest weigh some dozen megabytes.
const REVISIONS_AT_MOST: usize = 32;

/// What a revision says.
#[derive(Debug)]
pub struct RevisionDocument {
    /// What the document says.
    pub project: Project,
    /// The document with ids for references, every default written out.
    pub document: Value,
}

/// Revisions that somebody works with, in memory. They never change.
#[derive(Debug, Default)]
pub(crate) struct RevisionShelf {
    revisions: RwLock<HashMap<(ProjectId, u32), Arc<RevisionDocument>>>,
}

impl RevisionShelf {
    fn find(&self, key: (ProjectId, u32)) -> Option<Arc<RevisionDocument>> {
        self.revisions.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
    }

    /// Keeps a revision. A full shelf is emptied first: what is still worked with is soon there again.
    fn put(&self, key: (ProjectId, u32), revision: RevisionDocument) -> Arc<RevisionDocument> {
        let revision = Arc::new(revision);
        let mut revisions = self.revisions.write().unwrap_or_else(PoisonError::into_inner);
        if revisions.len() >= REVISIONS_AT_MOST {
            revisions.clear();
        }
        revisions.insert(key, Arc::clone(&revision));
        revision
    }
}

/// What is live of a project that stands at `head`; `None` if it was never published.
pub(crate) async fn read_live(
    app: &App,
    id: ProjectId,
    head: ProjectHead,
) -> Result<Option<Arc<RevisionDocument>>, StorageError> {
    match head.live_revision {
        Some(number) => read_revision(app, id, number).await,
        None => Ok(None),
    }
}

/// The revision of a project with this number; `None` if there is none.
pub(crate) async fn read_revision(
    app: &App,
    id: ProjectId,
    number: u32,
) -> Result<Option<Arc<RevisionDocument>>, StorageError> {
    let key = (id, number);
    if let Some(revision) = app.revisions().find(key) {
        return Ok(Some(revision));
    }
    let Some(stored) = app.store().lookup_revision(id, number).await? else { return Ok(None) };
    // Large documents take milliseconds of pure computation: not on the async threads.
    let work = move || {
        project_of(&stored.document).map(|project| {
            let document = project.to_value_by_ids();
            RevisionDocument { project, document }
        })
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(read) => Ok(Some(app.revisions().put(key, read?))),
        Err(panic) => Err(StorageError::corrupt(format!("revision: {panic}"))),
    }
}
