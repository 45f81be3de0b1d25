//! Keeps recently used drafts in memory: reading a large one takes longer than all other work on it.

use std::sync::Arc;

use domain::ProjectId;
use storage::ProjectHead;

use crate::bounded_cache::BoundedCache;
use crate::drafts::Draft;

/// The text of documents, which take some ten times as much memory once parsed: enough for four of the largest, or for hundreds of the
/// usual size.
const TEXT_BYTES_AT_MOST: usize = 16 * 1024 * 1024;

/// The drafts in memory. Each is valid while the stored draft has the same version; publishing does not change that.
#[derive(Debug)]
pub(crate) struct DraftCache(BoundedCache<ProjectId, Arc<Draft>>);

impl Default for DraftCache {
    fn default() -> Self {
        Self(BoundedCache::of_weight(TEXT_BYTES_AT_MOST))
    }
}

impl DraftCache {
    pub(super) fn find(&self, id: ProjectId, head: ProjectHead) -> Option<Arc<Draft>> {
        let draft = self.0.find(&id)?;
        if draft.head == head {
            return Some(draft);
        }
        let is_same = draft.head.draft_version == head.draft_version;
        is_same.then(|| Arc::new(draft.standing_at(head)))
    }

    /// Stores a draft in place of the previous one.
    pub(crate) fn put(&self, draft: Draft) -> Arc<Draft> {
        let (id, bytes, draft) = (draft.project.id, draft.text_bytes(), Arc::new(draft.kept()));
        self.0.put(id, Arc::clone(&draft), bytes);
        draft
    }
}
