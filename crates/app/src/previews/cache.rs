//! Keeps recently used previews in memory: a person who clicks through a site requests the same one on every page.

use std::sync::Arc;

use domain::{ProjectId, VariationId};
use snippet::Offer;

use crate::bounded_cache::BoundedCache;
use crate::publishing::DeliveredSnippet;

/// Hundreds of previews of usual size, or some of the largest.
const BYTES_AT_MOST: usize = 32 * 1024 * 1024;

/// What a preview is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct PreviewKey {
    pub(super) project: ProjectId,
    /// The number of its live revision.
    pub(super) revision: u32,
    /// The tag of its draft, if the preview shows that.
    pub(super) draft: Option<String>,
    /// The variations that the link shows.
    pub(super) variations: Vec<VariationId>,
    /// Those that are looked at instead, as far as the link allows.
    pub(super) chosen: Vec<VariationId>,
    pub(super) offer: Offer,
}

/// A preview ready to be delivered.
#[derive(Debug, Clone)]
pub(super) struct CachedPreview {
    pub(super) snippet: Arc<DeliveredSnippet>,
    /// Whether it contains code that is not live.
    pub(super) has_unpublished_code: bool,
}

/// The previews in memory.
#[derive(Debug)]
pub struct PreviewCache(BoundedCache<PreviewKey, CachedPreview>);

impl Default for PreviewCache {
    fn default() -> Self {
        Self(BoundedCache::of_weight(BYTES_AT_MOST))
    }
}

impl PreviewCache {
    pub(super) fn find(&self, key: &PreviewKey) -> Option<CachedPreview> {
        self.0.find(key)
    }

    /// Keeps a preview.
    pub(super) fn put(&self, key: PreviewKey, preview: CachedPreview) -> CachedPreview {
        let DeliveredSnippet { javascript, brotli, gzip, .. } = &*preview.snippet;
        let bytes = javascript.len() + brotli.len() + gzip.len();
        self.0.put(key, preview.clone(), bytes);
        preview
    }
}
