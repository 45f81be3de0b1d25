//! A visitor's browser asks for a snippet: the live one of a project, or an immutable one by its hash.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use bytes::Bytes;
use domain::ProjectId;
use storage::{Revision, StorageError};

use crate::App;

/// A snippet ready to be sent, in every encoding.
#[derive(Debug)]
pub struct DeliveredSnippet {
    /// The project it belongs to.
    pub project_id: ProjectId,
    /// Its hash.
    pub hash: String,
    /// The script as it is.
    pub javascript: Bytes,
    /// Compressed with brotli.
    pub brotli: Bytes,
    /// Compressed with gzip.
    pub gzip: Bytes,
}

impl From<Revision> for DeliveredSnippet {
    fn from(revision: Revision) -> Self {
        Self {
            project_id: revision.project_id,
            hash: revision.snippet_hash,
            javascript: Bytes::from(revision.javascript),
            brotli: Bytes::from(revision.brotli),
            gzip: Bytes::from(revision.gzip),
        }
    }
}

/// The live snippets, in memory: delivery touches no disk.
#[derive(Debug, Default)]
pub struct SnippetShelf {
    live: RwLock<HashMap<ProjectId, Arc<DeliveredSnippet>>>,
}

impl SnippetShelf {
    /// Makes `snippet` the live one of its project.
    pub(super) fn put(&self, snippet: DeliveredSnippet) -> Arc<DeliveredSnippet> {
        let snippet = Arc::new(snippet);
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        live.insert(snippet.project_id, Arc::clone(&snippet));
        snippet
    }

    fn find(&self, id: ProjectId) -> Option<Arc<DeliveredSnippet>> {
        self.live.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }
}

/// The snippet that is live for `id`; `None` if the project is unknown or was never published.
///
/// # Errors
/// If the store does not answer.
pub async fn live_snippet(
    app: &App,
    id: ProjectId,
) -> Result<Option<Arc<DeliveredSnippet>>, StorageError> {
    if let Some(snippet) = app.snippets().find(id) {
        return Ok(Some(snippet));
    }
    let revision = app.store().live_revision(id).await?;
    Ok(revision.map(|revision| app.snippets().put(DeliveredSnippet::from(revision))))
}

/// The snippet of `id` with this hash, live or not; `None` if there never was one.
///
/// # Errors
/// If the store does not answer.
pub async fn find_snippet(
    app: &App,
    id: ProjectId,
    hash: &str,
) -> Result<Option<Arc<DeliveredSnippet>>, StorageError> {
    if let Some(snippet) = app.snippets().find(id).filter(|snippet| snippet.hash == hash) {
        return Ok(Some(snippet));
    }
    let revision = app.store().find_revision(id, hash).await?;
    Ok(revision.map(|revision| Arc::new(DeliveredSnippet::from(revision))))
}
