//! Prepares what is new in a live snippet for browsers that have one of the last few (RFC 9842): when it goes live, never at a request.
//! Deltas stay in memory, of live snippets alone; a process that hears of a publication, or starts, makes them again.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use domain::ProjectId;
use snippet::delta;
use storage::{ListRange, SnippetEncoding, StorageError};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::App;
use crate::computation::compute;
use crate::publishing::DeliveredSnippet;

/// How many earlier snippets have a delta: what most visitors who return have is one of them. Each costs tens of milliseconds when a
/// snippet goes live, and memory as long as it is.
const EARLIER_AT_MOST: usize = 5;

/// Among how many revisions they are looked for: a revision may have the snippet of another.
const REVISIONS_AT_MOST: u32 = 32;

/// How long a publication waits for them. Until they are there, browsers get the whole snippet.
const PATIENCE: Duration = Duration::from_secs(2);

/// A snippet for browsers that have a certain other one.
#[derive(Debug)]
pub struct Delta {
    /// The SHA-256 of the one that they have.
    pub dictionary: [u8; 32],
    /// In the content coding `dcb`; `None` if that would not be shorter than the whole.
    pub brotli: Option<Bytes>,
    /// In the content coding `dcz`; `None` if that would not be shorter than the whole.
    pub zstandard: Option<Bytes>,
}

impl DeliveredSnippet {
    /// This snippet for a browser that has the one with this SHA-256; `None` if that one is unknown or too old.
    #[must_use]
    pub fn delta(&self, dictionary: &[u8; 32]) -> Option<&Delta> {
        self.deltas.get()?.iter().find(|delta| delta.dictionary == *dictionary)
    }
}

/// Waits a while until the deltas of a snippet that has just gone live are prepared.
pub(super) async fn prepare_deltas_and_wait(app: &App, snippet: Arc<DeliveredSnippet>) {
    // The work continues when no request waits for it any more.
    let _ = timeout(PATIENCE, prepare_deltas(app.clone(), snippet)).await;
}

/// Prepares the deltas of a live snippet, one snippet after the other.
pub(super) fn prepare_deltas(app: App, snippet: Arc<DeliveredSnippet>) -> JoinHandle<()> {
    tokio::spawn(async move {
        let _turn = app.caches().snippets.delta_turn().await;
        // A faster publication has made it needless, or nothing new was published.
        let is_live = |live: Arc<DeliveredSnippet>| Arc::ptr_eq(&live, &snippet);
        let live = app.caches().snippets.find(snippet.project_id);
        if snippet.deltas.get().is_some() || !live.is_some_and(is_live) {
            return;
        }
        if let Err(error) = prepare(&app, &snippet).await {
            tracing::warn!("snippet without deltas: {error}");
        }
    })
}

async fn prepare(app: &App, snippet: &Arc<DeliveredSnippet>) -> Result<(), StorageError> {
    let mut dictionaries = earlier(app, snippet.project_id, &snippet.hash).await?;
    // A browser that has this one already, but got it as a delta, names it when it asks whether it is still live.
    dictionaries.push(snippet.javascript.clone());
    let of = Arc::clone(snippet);
    let work =
        move || dictionaries.iter().filter_map(|dictionary| worthwhile(&of, dictionary)).collect();
    let deltas = compute("make_deltas", work).await?;
    snippet.deltas.get_or_init(|| deltas);
    Ok(())
}

/// The snippets that were live before the one with this hash, newest first.
async fn earlier(app: &App, id: ProjectId, hash: &str) -> Result<Vec<Bytes>, StorageError> {
    let lines =
        app.store().list_revisions(id, ListRange { page: 1, per_page: REVISIONS_AT_MOST }).await?;
    let mut hashes: Vec<String> = Vec::new();
    for line in lines {
        if line.snippet_hash != hash && !hashes.contains(&line.snippet_hash) {
            hashes.push(line.snippet_hash);
        }
    }
    hashes.truncate(EARLIER_AT_MOST);
    let mut snippets = Vec::with_capacity(EARLIER_AT_MOST + 1);
    for hash in hashes {
        let javascript = app.store().read_snippet(id, &hash, SnippetEncoding::Identity).await?;
        snippets.extend(javascript.map(Bytes::from));
    }
    Ok(snippets)
}

fn worthwhile(snippet: &DeliveredSnippet, dictionary: &[u8]) -> Option<Delta> {
    let delta = delta(dictionary, &snippet.javascript)?;
    let shorter = |body: Option<Vec<u8>>| {
        body.filter(|body| body.len() < snippet.brotli.len()).map(Bytes::from)
    };
    Some(Delta {
        dictionary: delta.dictionary,
        brotli: shorter(delta.brotli),
        zstandard: shorter(delta.zstandard),
    })
}
