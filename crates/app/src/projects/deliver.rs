//! A visitor's browser asks for a snippet: the live one of a project, or an immutable one by its hash.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use bytes::Bytes;
use domain::{NoFiles, ProjectId, Source};
use storage::{Revision, StorageError};

use crate::App;
use crate::projects::visitor_cookie::VisitorCookie;

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
    /// How the visitor's cookie is kept; `None` if the page does it.
    pub visitor_cookie: Option<VisitorCookie>,
}

impl DeliveredSnippet {
    pub(super) fn new(revision: Revision, visitor_cookie: Option<VisitorCookie>) -> Self {
        Self {
            project_id: revision.project_id,
            hash: revision.snippet_hash,
            javascript: Bytes::from(revision.javascript),
            brotli: Bytes::from(revision.brotli),
            gzip: Bytes::from(revision.gzip),
            visitor_cookie,
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
    let Some(revision) = app.store().live_revision(id).await? else { return Ok(None) };
    Ok(Some(app.snippets().put(unpack(revision).await?)))
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
    // Its address tells nobody that it is live: it keeps no cookie.
    Ok(revision.map(|revision| Arc::new(DeliveredSnippet::new(revision, None))))
}

/// Large documents take milliseconds of pure computation: not on the async threads. A document that earlier versions took, and we do
/// not, is no reason to keep its snippet from the pages.
async fn unpack(revision: Revision) -> Result<DeliveredSnippet, StorageError> {
    let work = move || {
        let source = Source { name: "document", text: &revision.document, files: &NoFiles };
        let parsed = domain::parse(&source).ok();
        let visitor_cookie = parsed.and_then(|parsed| VisitorCookie::of(&parsed.project));
        DeliveredSnippet::new(revision, visitor_cookie)
    };
    let unpacked = tokio::task::spawn_blocking(work).await;
    unpacked.map_err(|panic| StorageError::corrupt(format!("revision: {panic}")))
}
