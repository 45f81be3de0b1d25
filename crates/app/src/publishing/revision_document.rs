//! The document of a revision, parsed.

use std::sync::{Arc, OnceLock};

use domain::{Project, ProjectId, SharedDocument};
use storage::{ProjectHead, StorageError};

use crate::App;
use crate::bounded_cache::BoundedCache;
use crate::computation::compute;
use crate::documents::{StoredDocument, project_of};

/// The text of documents, which take some ten times as much memory once parsed: enough for four of the largest, or for hundreds of the
/// usual size.
const TEXT_BYTES_AT_MOST: usize = 16 * 1024 * 1024;

/// The content of a revision.
#[derive(Debug)]
pub struct RevisionDocument {
    /// The parsed document.
    pub project: Arc<Project>,
    /// Made when first compared.
    document: OnceLock<SharedDocument>,
}

impl RevisionDocument {
    fn new(project: Arc<Project>) -> Self {
        Self { project, document: OnceLock::new() }
    }

    /// The document with ids for references and all defaults written out.
    #[must_use]
    pub fn document(&self) -> &SharedDocument {
        self.document_or(SharedDocument::of_project)
    }

    /// The same; if not yet known, `make` builds it beside a document that shares most of it.
    pub(crate) fn document_or(
        &self,
        make: impl FnOnce(&Project) -> SharedDocument,
    ) -> &SharedDocument {
        self.document.get_or_init(|| make(&self.project))
    }
}

/// The revisions used most recently, in memory: nearly always live ones. They never change.
#[derive(Debug)]
pub(crate) struct RevisionCache(BoundedCache<(ProjectId, u32), Arc<RevisionDocument>>);

impl Default for RevisionCache {
    fn default() -> Self {
        Self(BoundedCache::of_weight(TEXT_BYTES_AT_MOST))
    }
}

impl RevisionCache {
    fn find(&self, id: ProjectId, number: u32) -> Option<Arc<RevisionDocument>> {
        self.0.find(&(id, number))
    }

    /// Caches a revision whose text has `bytes` bytes.
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

/// The live document of a project at `head`; `None` if it was never published.
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

/// The same; `None` also if it cannot be read: a live document that an earlier version accepted, but we do not, must not block a better one.
pub(crate) async fn read_live_if_readable(
    app: &App,
    id: ProjectId,
    head: ProjectHead,
) -> Result<Option<Arc<RevisionDocument>>, StorageError> {
    match read_live(app, id, head).await {
        Err(StorageError::Document(why)) => {
            tracing::warn!("{why}; what replaces it is not compared with it");
            Ok(None)
        }
        read => read,
    }
}

/// The revision of a project with this number; `None` if there is none.
pub(crate) async fn read_revision(
    app: &App,
    id: ProjectId,
    number: u32,
) -> Result<Option<Arc<RevisionDocument>>, StorageError> {
    if let Some(revision) = app.caches().revisions.find(id, number) {
        return Ok(Some(revision));
    }
    // Many requests may need one revision at the same moment: the first few read it for all.
    let turn = app.heavy_work().reading_turn().await;
    if let Some(revision) = app.caches().revisions.find(id, number) {
        return Ok(Some(revision));
    }
    let document = app.store().lookup_revision_document(id, number).await?;
    let Some(document) = document else { return Ok(None) };
    // Large documents take milliseconds of computation, so they stay off the async threads. The turn travels with the work: a caller that
    // disconnects does not free its turn early.
    let whose = StoredDocument::Revision(id, number);
    let work = move || (project_of(whose, &document), document.len(), turn);
    match compute("read_revision", work).await {
        Ok((project, bytes, _turn)) => {
            Ok(Some(app.caches().revisions.keep((id, number), Arc::new(project?), bytes)))
        }
        Err(stopped) => Err(whose.stopped(stopped)),
    }
}
