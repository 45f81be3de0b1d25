//! Previews that somebody looked at lately, in memory: clicking through a site asks for the same one on every page.

use std::sync::Arc;

use domain::{ProjectId, VariationId};

use crate::publishing::DeliveredSnippet;
use crate::shelf::Shelf;

/// Hundreds of previews of usual size, or some of the largest.
const BYTES_AT_MOST: usize = 32 * 1024 * 1024;

/// The project, its live revision's number, the tag of its draft where that is shown, and what is shown.
pub(super) type PreviewKey = (ProjectId, u32, Option<String>, Vec<VariationId>);

/// A preview that can be delivered.
#[derive(Debug, Clone)]
pub(super) struct ShelvedPreview {
    pub(super) snippet: Arc<DeliveredSnippet>,
    /// Whether code is in it that is not live.
    pub(super) has_unpublished_code: bool,
}

/// The previews in memory.
#[derive(Debug)]
pub struct PreviewShelf(Shelf<PreviewKey, ShelvedPreview>);

impl Default for PreviewShelf {
    fn default() -> Self {
        Self(Shelf::holding(BYTES_AT_MOST))
    }
}

impl PreviewShelf {
    pub(super) fn find(&self, key: &PreviewKey) -> Option<ShelvedPreview> {
        self.0.find(key)
    }

    /// Keeps a preview.
    pub(super) fn put(&self, key: PreviewKey, preview: ShelvedPreview) -> ShelvedPreview {
        let DeliveredSnippet { javascript, brotli, gzip, .. } = &*preview.snippet;
        let bytes = javascript.len() + brotli.len() + gzip.len();
        self.0.put(key, preview.clone(), bytes);
        preview
    }
}
