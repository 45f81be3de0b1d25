//! Previews that somebody looked at lately, in memory: clicking through a site asks for the same one on every page.

use std::sync::Arc;

use domain::{ProjectId, VariationId};

use crate::projects::DeliveredSnippet;
use crate::shelf::Shelf;

/// Hundreds of previews of usual size, or some of the largest.
const BYTES_AT_MOST: usize = 32 * 1024 * 1024;

/// The project, its live revision's number, the tag of its draft where that is shown, and what is shown.
pub(super) type PreviewKey = (ProjectId, u32, Option<String>, Vec<VariationId>);

/// The previews in memory.
#[derive(Debug)]
pub struct PreviewShelf(Shelf<PreviewKey, Arc<DeliveredSnippet>>);

impl Default for PreviewShelf {
    fn default() -> Self {
        Self(Shelf::holding(BYTES_AT_MOST))
    }
}

impl PreviewShelf {
    pub(super) fn find(&self, key: &PreviewKey) -> Option<Arc<DeliveredSnippet>> {
        self.0.find(key)
    }

    /// Keeps a preview.
    pub(super) fn put(&self, key: PreviewKey, preview: DeliveredSnippet) -> Arc<DeliveredSnippet> {
        let bytes = preview.javascript.len() + preview.brotli.len() + preview.gzip.len();
        let preview = Arc::new(preview);
        self.0.put(key, Arc::clone(&preview), bytes);
        preview
    }
}
