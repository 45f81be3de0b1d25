//! A draft that the store has and nothing can read: an earlier version took what this one refuses, or a hand was in the database. A member
//! reads nothing of it, and repairs it by replacing the whole.

use std::sync::Arc;

use domain::{Project, ProjectId, SharedDocument};
use serde_json::{Value, json};
use storage::{ProjectHead, StorageError, StoredDraft};

use crate::App;
use crate::computation::compute;
use crate::documents::{Stamps, StoredDocument, check_shared, tag_of};
use crate::drafts::{Draft, OpenedDraft, open_or_find_unreadable, project_tag};
use crate::publishing::read_live_if_readable;

/// A draft that cannot be read, and what is known of it all the same.
#[derive(Debug, Clone)]
pub struct UnreadableDraft {
    id: ProjectId,
    stored: StoredDraft,
    /// The entity tag of the draft, in its quotes.
    pub tag: String,
    /// Which draft, and why it cannot be read.
    pub why: String,
}

impl UnreadableDraft {
    pub(super) fn new(id: ProjectId, stored: StoredDraft, why: String) -> Self {
        let tag = tag_of(&stored.document);
        Self { id, stored, tag, why }
    }

    /// The project's versions and live revision.
    #[must_use]
    pub fn head(&self) -> ProjectHead {
        self.stored.head
    }

    /// The project's key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.stored.key
    }

    /// Its name, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.stored.name.as_deref()
    }

    pub(crate) fn is_archived(&self) -> bool {
        self.stored.is_archived
    }

    /// The project as [`crate::drafts::project_view`] has it, as far as it is known.
    pub(crate) fn project_view(&self) -> Value {
        let StoredDraft { head, key, name, is_archived, .. } = &self.stored;
        let stamp = Stamps::stored(self.stored.stamps.clone()).of_project();
        json!({
            "id": self.id,
            "key": key,
            "name": name,
            "archived": is_archived,
            "revision": head.live_revision,
            "managed_by": head.managed_by.as_str(),
            "draft": self.tag,
            "etag": project_tag(self.id, *head, stamp.as_ref()),
        })
    }

    /// What a replacement of the whole draft starts from: what is live, or an empty project where that cannot be read either.
    async fn stand_in(self, app: &App) -> Result<Draft, StorageError> {
        let live = read_live_if_readable(app, self.id, self.stored.head).await?;
        let whose = StoredDocument::Draft(self.id);
        let work = move || {
            let Self { id, stored, tag, why } = self;
            let mut project = match live {
                Some(live) => Project::clone(&live.project),
                None => empty_project(id, &stored.key).ok_or(StorageError::Document(why))?,
            };
            // It was given since, perhaps.
            project.key = stored.key.parse().unwrap_or(project.key);
            Ok(Draft::standing_in(project, stored, tag))
        };
        compute("replace_draft", work).await.map_err(|stopped| whose.stopped(stopped))?
    }
}

/// A project with nothing in it.
fn empty_project(id: ProjectId, key: &str) -> Option<Project> {
    let document = json!({"version": 1, "project": {"id": id, "key": key}});
    let checked = SharedDocument::of(document).and_then(|document| check_shared(&document));
    Some(checked.ok()?.project)
}

/// The draft of project `id` for one who replaces all of it: where it cannot be read, another state of the project with its tag and version.
/// `None` if there is no such project.
pub(super) async fn open_to_replace(
    app: &App,
    id: ProjectId,
) -> Result<Option<Arc<Draft>>, StorageError> {
    Ok(match open_or_find_unreadable(app, id).await? {
        None => None,
        Some(OpenedDraft::Read(draft)) => Some(draft),
        Some(OpenedDraft::Unreadable(draft)) => Some(Arc::new(draft.stand_in(app).await?)),
    })
}
