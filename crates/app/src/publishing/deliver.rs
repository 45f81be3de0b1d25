//! Delivers the live snippet of a project to a visitor's browser.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use bytes::Bytes;
use domain::ProjectId;
use storage::{Revision, StorageError};
use tokio::sync::{Mutex, MutexGuard, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use crate::App;
use crate::computation::compute;
use crate::documents::{StoredDocument, project_of};
use crate::publishing::deltas::{Delta, prepare_deltas};
use crate::publishing::{VisitorCookie, live_number};

/// How long a page waits for the store before it gets the last known live snippet.
const PATIENCE: Duration = Duration::from_millis(300);

/// How many snippets are read at once that this process has not delivered yet. Each is read to its end, even if no request waits any more:
/// while the store does not answer, more would only queue.
const FIRST_AT_MOST: usize = 8;

/// A snippet ready to be sent, in every encoding.
#[derive(Debug)]
pub struct DeliveredSnippet {
    /// The project it belongs to.
    pub project_id: ProjectId,
    /// The number of its revision.
    pub revision: u32,
    /// Its hash.
    pub hash: String,
    /// The script, uncompressed.
    pub javascript: Bytes,
    /// Compressed with brotli.
    pub brotli: Bytes,
    /// Compressed with gzip.
    pub gzip: Bytes,
    /// How the server keeps the visitor's cookie; `None` if the page does it.
    pub visitor_cookie: Option<VisitorCookie>,
    /// The same for browsers that have an earlier one, once prepared; never those of a preview.
    pub(crate) deltas: OnceLock<Arc<[Delta]>>,
}

impl DeliveredSnippet {
    pub(super) fn new(revision: Revision, visitor_cookie: Option<VisitorCookie>) -> Self {
        Self {
            project_id: revision.project_id,
            revision: revision.number,
            hash: revision.snippet_hash,
            javascript: Bytes::from(revision.javascript),
            brotli: Bytes::from(revision.brotli),
            gzip: Bytes::from(revision.gzip),
            visitor_cookie,
            deltas: OnceLock::new(),
        }
    }
}

/// The snippets delivered most recently, in memory: delivery touches no disk.
#[derive(Debug)]
pub struct SnippetCache {
    snippets: RwLock<HashMap<ProjectId, Arc<DeliveredSnippet>>>,
    /// Held during a fetch: of many requests that miss one snippet, the first fetches it for all.
    turns: RwLock<HashMap<ProjectId, Arc<Mutex<()>>>>,
    /// Held while a snippet is read that has not been delivered yet.
    first_turns: Arc<Semaphore>,
    /// Held while deltas are prepared: pages need the other cores.
    delta_turn: Mutex<()>,
}

impl Default for SnippetCache {
    fn default() -> Self {
        Self {
            snippets: RwLock::default(),
            turns: RwLock::default(),
            first_turns: Arc::new(Semaphore::new(FIRST_AT_MOST)),
            delta_turn: Mutex::default(),
        }
    }
}

impl SnippetCache {
    /// Replaces the project's snippet by `snippet`. The same script keeps its deltas.
    pub(super) fn put(&self, mut snippet: DeliveredSnippet) -> Arc<DeliveredSnippet> {
        let mut snippets = self.snippets.write().unwrap_or_else(PoisonError::into_inner);
        let same = snippets.get(&snippet.project_id).filter(|before| before.hash == snippet.hash);
        if let Some(same) = same {
            snippet.deltas = same.deltas.clone();
        }
        let snippet = Arc::new(snippet);
        snippets.insert(snippet.project_id, Arc::clone(&snippet));
        snippet
    }

    pub(super) fn find(&self, id: ProjectId) -> Option<Arc<DeliveredSnippet>> {
        self.snippets.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    fn forget(&self, id: ProjectId) {
        self.snippets.write().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }

    pub(super) async fn delta_turn(&self) -> MutexGuard<'_, ()> {
        self.delta_turn.lock().await
    }

    async fn first_turn(&self) -> OwnedSemaphorePermit {
        let turns = Arc::clone(&self.first_turns);
        turns.acquire_owned().await.expect("this semaphore is never closed")
    }

    fn turn(&self, id: ProjectId) -> Arc<Mutex<()>> {
        let mut turns = self.turns.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(turns.entry(id).or_default())
    }
}

/// The snippet of `id` that is in memory, live when it was last asked for; `None` if it has not been.
#[must_use]
pub fn delivered_snippet(app: &App, id: ProjectId) -> Option<Arc<DeliveredSnippet>> {
    app.caches().snippets.find(id)
}

/// Until when a page may wait for the store.
#[must_use]
pub fn page_deadline() -> Instant {
    Instant::now() + PATIENCE
}

/// Whether the project with this id was deleted, so that none of its snippets is delivered any more. While the store does not answer, nothing is
/// known of that.
pub async fn was_project_deleted(app: &App, id: ProjectId, deadline: Instant) -> bool {
    let asked = timeout_at(deadline, app.store().was_deleted(id, app.now())).await;
    let was_deleted = matches!(asked, Ok(Ok(true)));
    if was_deleted {
        app.caches().snippets.forget(id);
    }
    was_deleted
}

/// The live snippet of `id`; `None` if the project is unknown or was never published. While the store does not answer, it is the last known
/// live one: a page never waits for us.
///
/// # Errors
/// If the store does not answer in time, and nothing was delivered before.
pub async fn live_snippet(
    app: &App,
    id: ProjectId,
    deadline: Instant,
) -> Result<Option<Arc<DeliveredSnippet>>, StorageError> {
    let Some(delivered) = app.caches().snippets.find(id) else {
        return first_snippet(app, id).await;
    };
    match timeout_at(deadline, live_number(app, id)).await {
        Ok(Ok(None)) => Ok(None),
        Ok(Ok(Some(number))) if number != delivered.revision => {
            // The fetch continues when no request waits for it any more: the next request finds it done.
            let fetching = tokio::spawn(fetch(app.clone(), id, number));
            match timeout_at(deadline, fetching).await {
                Ok(Ok(Ok(fetched))) => Ok(fetched),
                Ok(Ok(Err(_)) | Err(_)) | Err(_) => Ok(Some(delivered)),
            }
        }
        Ok(Ok(Some(_)) | Err(_)) | Err(_) => Ok(Some(delivered)),
    }
}

/// The live snippet of a project that this process has not delivered yet.
async fn first_snippet(
    app: &App,
    id: ProjectId,
) -> Result<Option<Arc<DeliveredSnippet>>, StorageError> {
    let silent = || Err(StorageError::Unavailable("no live snippet in time".to_owned()));
    let deadline = Instant::now() + PATIENCE;
    let turn = timeout_at(deadline, app.caches().snippets.first_turn()).await;
    let Ok(turn) = turn else { return silent() };
    let mut finding = Box::pin(find_live(app.clone(), id, turn));
    if let Ok(found) = timeout_at(deadline, &mut finding).await {
        return found;
    }
    // It continues when no request waits for it any more: the next request finds it done.
    tokio::spawn(finding);
    silent()
}

async fn find_live(
    app: App,
    id: ProjectId,
    _turn: OwnedSemaphorePermit,
) -> Result<Option<Arc<DeliveredSnippet>>, StorageError> {
    let Some(number) = live_number(&app, id).await? else { return Ok(None) };
    fetch(app, id, number).await
}

/// Adds a revision's snippet to the cache, unless another request has; `None` if there is no such revision.
pub(super) async fn fetch(
    app: App,
    id: ProjectId,
    number: u32,
) -> Result<Option<Arc<DeliveredSnippet>>, StorageError> {
    let turn = app.caches().snippets.turn(id);
    let _turn = turn.lock().await;
    if let Some(snippet) =
        app.caches().snippets.find(id).filter(|snippet| snippet.revision == number)
    {
        return Ok(Some(snippet));
    }
    let Some(revision) = app.store().lookup_revision(id, number).await? else { return Ok(None) };
    let snippet = app.caches().snippets.put(unpack(revision).await?);
    prepare_deltas(app.clone(), Arc::clone(&snippet));
    Ok(Some(snippet))
}

/// Large documents take milliseconds of computation, so they stay off the async threads. A document that an earlier version accepted, but
/// we do not, must not keep its snippet from the pages.
async fn unpack(revision: Revision) -> Result<DeliveredSnippet, StorageError> {
    let work = move || {
        let whose = StoredDocument::Revision(revision.project_id, revision.number);
        let project = project_of(whose, &revision.document).ok();
        let visitor_cookie = project.and_then(|project| VisitorCookie::of(&project));
        DeliveredSnippet::new(revision, visitor_cookie)
    };
    Ok(compute("unpack_snippet", work).await?)
}
