//! Delivers a snippet by its hash, even if replaced long ago: pages name one revision for years. Of an old snippet, we read only the
//! requested encoding, and keep the most recent ones in memory.

use bytes::Bytes;
use domain::ProjectId;
use storage::{SnippetEncoding, SnippetLengths, StorageError};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::App;
use crate::bounded_cache::BoundedCache;
use crate::publishing::DeliveredSnippet;

/// Thousands of snippets of usual size, or some of the largest.
const BYTES_AT_MOST: usize = 16 * 1024 * 1024;

/// More at once only slow each other down on the disk, and each keeps a snippet in memory.
const READING_AT_MOST: usize = 4;

/// Old snippets that were sent lately, in memory.
#[derive(Debug)]
pub(crate) struct OldSnippetCache {
    bodies: BoundedCache<(ProjectId, String, SnippetEncoding), Bytes>,
    reading: Semaphore,
}

impl Default for OldSnippetCache {
    fn default() -> Self {
        Self {
            bodies: BoundedCache::of_weight(BYTES_AT_MOST),
            reading: Semaphore::new(READING_AT_MOST),
        }
    }
}

impl OldSnippetCache {
    async fn take_reading_turn(&self) -> SemaphorePermit<'_> {
        self.reading.acquire().await.expect("this semaphore is never closed")
    }
}

/// The length of the snippet of `id` with this hash, live or not; `None` if there never was one. Reads none of its content.
///
/// # Errors
/// If the store does not answer.
pub async fn find_snippet(
    app: &App,
    id: ProjectId,
    hash: &str,
) -> Result<Option<SnippetLengths>, StorageError> {
    app.store().find_snippet(id, hash).await
}

/// The snippet of `id` with this hash in one encoding, live or not; `None` if there never was one.
///
/// # Errors
/// If the store does not answer.
pub async fn read_snippet(
    app: &App,
    id: ProjectId,
    hash: &str,
    encoding: SnippetEncoding,
) -> Result<Option<Bytes>, StorageError> {
    let cache = &app.caches().old_snippets;
    let key = (id, hash.to_owned(), encoding);
    if let Some(body) = cache.bodies.find(&key) {
        return Ok(Some(body));
    }
    // Many requests may need one snippet at the same moment: the first few read it for all.
    let _reading = cache.take_reading_turn().await;
    if let Some(body) = cache.bodies.find(&key) {
        return Ok(Some(body));
    }
    let Some(read) = app.store().read_snippet(id, hash, encoding).await? else { return Ok(None) };
    let body = Bytes::from(read);
    cache.bodies.put(key, body.clone(), body.len());
    Ok(Some(body))
}

impl DeliveredSnippet {
    /// The bytes to send in this encoding.
    #[must_use]
    pub fn body(&self, encoding: SnippetEncoding) -> Bytes {
        match encoding {
            SnippetEncoding::Brotli => self.brotli.clone(),
            SnippetEncoding::Gzip => self.gzip.clone(),
            SnippetEncoding::Identity => self.javascript.clone(),
        }
    }
}
