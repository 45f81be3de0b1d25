//! The document of a revision, read and understood.

use std::sync::{Arc, OnceLock};

use domain::{Project, ProjectId, SharedDocument};
use storage::{ProjectHead, StorageError};

use crate::App;
use crate::bounded_cache::BoundedCache;
use crate::documents::project_of;

/// The text of documents, which take some ten times as much memory when they are read: enough for four of the largest, or for hundreds
/// of the usual size.
const TEXT_BYTES_AT_MOST: usize = 16 * 1024 * 1024;

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
        self.document_or(SharedDocument::of_project)
    }

    /// The same, made in this way if it is not known yet: beside a document that shares most of it.
    pub(crate) fn document_or(
        &self,
        make: impl FnOnce(&Project) -> SharedDocument,
    ) -> &SharedDocument {
        self.document.get_or_init(|| make(&self.project))
    }
}

/// The revisions that somebody works with, in memory: nearly always live ones. They never change.
#[derive(Debug)]
pub(crate) struct RevisionCache(BoundedCache<(ProjectId, u32), Arc<RevisionDocument>>);

impl Default for RevisionCache {
    fn default() -> Self {
        Self(BoundedCache::holding(TEXT_BYTES_AT_MOST))
    }
}

impl RevisionCache {
    fn find(&self, id: ProjectId, number: u32) -> Option<Arc<RevisionDocument>> {
        self.0.find(&(id, number))
    }

    /// Keeps what a revision says, whose text has so many bytes.
    pub(crate) fn keep(
        &self,
        (id, number): (ProjectId, u32),
        project: Arc<Project>,
        bytes: usize,
    ) -> Arc<RevisionDocument> {
        let revision = Arc::new(RevisionDocument::new(project));
        self.0.put((id, number), Arc::clone(&revision), bytes);
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
    // Many may miss one revision at the same moment: those who come first read it for all.
    let turn = app.heavy_work().reading_turn().await;
    if let Some(revision) = app.revisions().find(id, number) {
        return Ok(Some(revision));
    }
    let document = app.store().lookup_revision_document(id, number).await?;
    let Some(document) = document else { return Ok(None) };
    // Large documents take milliseconds of pure computation: not on the async threads. The turn travels with the work: a caller that
    // goes away makes no room for more.
    let work = move || (project_of(&document), document.len(), turn);
    match tokio::task::spawn_blocking(work).await {
        Ok((project, bytes, _turn)) => {
            Ok(Some(app.revisions().keep((id, number), Arc::new(project?), bytes)))
        }
        Err(panic) => Err(StorageError::corrupt(format!("revision: {panic}"))),
    }
}
