//! Previews that somebody looked at lately, in memory: clicking through a site asks for the same one on every page.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use domain::{ProjectId, VariationId};

use crate::projects::DeliveredSnippet;

/// Enough for all who look at previews at one time; each weighs as much as a snippet.
const PREVIEWS_AT_MOST: usize = 64;

/// The project, its live revision's number, the tag of its draft where that is shown, and what is shown.
pub(super) type PreviewKey = (ProjectId, u32, Option<String>, Vec<VariationId>);

/// The previews in memory.
#[derive(Debug, Default)]
pub struct PreviewShelf {
    previews: RwLock<HashMap<PreviewKey, Arc<DeliveredSnippet>>>,
}

impl PreviewShelf {
    pub(super) fn find(&self, key: &PreviewKey) -> Option<Arc<DeliveredSnippet>> {
        self.previews.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// Keeps a preview. A full shelf is emptied first: what is still looked at is soon there again.
    pub(super) fn put(&self, key: PreviewKey, preview: DeliveredSnippet) -> Arc<DeliveredSnippet> {
        let preview = Arc::new(preview);
        let mut previews = self.previews.write().unwrap_or_else(PoisonError::into_inner);
        if previews.len() >= PREVIEWS_AT_MOST {
            previews.clear();
        }
        previews.insert(key, Arc::clone(&preview));
        preview
    }
}
