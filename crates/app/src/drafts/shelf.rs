//! Drafts that somebody works on, in memory: reading a large one takes longer than all else that is done with it.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use domain::ProjectId;
use storage::ProjectHead;

use crate::drafts::Draft;

/// Enough for all who work at one time; the largest weigh some dozen megabytes.
const DRAFTS_AT_MOST: usize = 32;

/// The drafts in memory, each good as long as the draft has its version: publishing it leaves it as it is.
#[derive(Debug, Default)]
pub(crate) struct DraftShelf {
    drafts: RwLock<HashMap<ProjectId, Arc<Draft>>>,
}

impl DraftShelf {
    pub(super) fn find(&self, id: ProjectId, head: ProjectHead) -> Option<Arc<Draft>> {
        let drafts = self.drafts.read().unwrap_or_else(PoisonError::into_inner);
        let draft = drafts.get(&id)?;
        if draft.head == head {
            return Some(Arc::clone(draft));
        }
        let is_same = draft.head.draft_version == head.draft_version;
        is_same.then(|| Arc::new(draft.standing_at(head)))
    }

    /// Keeps a draft. A full shelf is emptied first: what is still worked on is soon there again.
    pub(crate) fn put(&self, draft: Draft) -> Arc<Draft> {
        let (id, draft) = (draft.project.id, Arc::new(draft));
        let mut drafts = self.drafts.write().unwrap_or_else(PoisonError::into_inner);
        if drafts.len() >= DRAFTS_AT_MOST {
            drafts.clear();
        }
        drafts.insert(id, Arc::clone(&draft));
        draft
    }
}
