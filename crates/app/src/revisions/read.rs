//! The document of a revision, read and understood.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use domain::{Project, ProjectId, SharedDocument};
use storage::{ProjectHead, StorageError};

use crate::App;
use crate::projects::project_of;

/// Enough for all who work at one time; the largest weigh some dozen megabytes.
const PROJECTS_AT_MOST: usize = 32;

/// What a revision says.
#[derive(Debug)]
pub struct RevisionDocument {
    /// What the document says.
    pub project: Arc<Project>,
    /// Made when somebody compares it.
    document: OnceLock<SharedDocument>,
}

impl RevisionDocument {
    fn new(project: Arc<Project>) -> Self {
        Self { project, document: OnceLock::new() }
    }

    /// The document with ids for references, every default written out.
    #[must_use]
    pub fn document(&self) -> &SharedDocument {
        self.document.get_or_init(|| SharedDocument::of_project(&self.project))
    }
}

/// Of each project that somebody works with one revision, in memory: nearly always the live one. They never change.
#[derive(Debug, Default)]
pub(crate) struct RevisionShelf {
    revisions: RwLock<HashMap<ProjectId, (u32, Arc<RevisionDocument>)>>,
}

impl RevisionShelf {
    fn find(&self, id: ProjectId, number: u32) -> Option<Arc<RevisionDocument>> {
        let revisions = self.revisions.read().unwrap_or_else(PoisonError::into_inner);
        let (_, revision) = revisions.get(&id).filter(|(known, _)| *known == number)?;
        Some(Arc::clone(revision))
    }

    /// Keeps what a revision says that was just published, so that nobody has to read it.
    pub(crate) fn keep(&self, id: ProjectId, number: u32, project: Arc<Project>) {
        self.put(id, number, RevisionDocument::new(project));
    }

    /// Keeps a revision in the place of the one before. A full shelf is emptied first: what is still worked with is soon there again.
    fn put(&self, id: ProjectId, number: u32, revision: RevisionDocument) -> Arc<RevisionDocument> {
        let revision = Arc::new(revision);
        let mut revisions = self.revisions.write().unwrap_or_else(PoisonError::into_inner);
        if revisions.len() >= PROJECTS_AT_MOST {
            revisions.clear();
        }
        revisions.insert(id, (number, Arc::clone(&revision)));
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
    if let Some(revision) = app.revisions().find(id, number) {
        return Ok(Some(revision));
    }
    let Some(stored) = app.store().lookup_revision(id, number).await? else { return Ok(None) };
    // Large documents take milliseconds of pure computation: not on the async threads.
    let work = move || {
        let project = project_of(&stored.document)?;
        Ok::<_, StorageError>(RevisionDocument::new(Arc::new(project)))
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(read) => Ok(Some(app.revisions().put(id, number, read?))),
        Err(panic) => Err(StorageError::corrupt(format!("revision: {panic}"))),
    }
}
