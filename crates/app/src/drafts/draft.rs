//! The draft of a project, read and understood.

use std::sync::Arc;

use domain::{Project, ProjectId};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use storage::{DraftDocument, ProjectHead, StorageError};

use crate::App;
use crate::projects::project_of;

/// 128 bits of a hash: no two drafts of a project ever have the same.
const TAG_BYTES: usize = 16;

/// A valid draft.
#[derive(Debug)]
pub struct Draft {
    /// Where the project stands.
    pub head: ProjectHead,
    /// What the document says.
    pub project: Project,
    /// The document with ids for references, every default written out.
    pub document: Value,
    /// Tells this draft from all others of the project: an entity tag, in its quotes.
    pub tag: String,
}

impl Draft {
    /// The draft that `project` is; `head` is where it stands.
    pub(crate) fn new(head: ProjectHead, project: Project) -> Self {
        let document = project.to_value_by_ids();
        let tag = tag_of(&document);
        Self { head, project, document, tag }
    }

    /// What is stored of it.
    pub(crate) fn to_store(&self) -> DraftDocument {
        DraftDocument {
            key: self.project.key.to_string(),
            name: self.project.name.clone(),
            is_archived: self.project.is_archived,
            document: self.document.to_string(),
        }
    }
}

/// The draft of project `id`; `None` if there is no such project.
///
/// # Errors
/// If the store does not answer.
pub async fn open_draft(app: &App, id: ProjectId) -> Result<Option<Arc<Draft>>, StorageError> {
    let Some(head) = app.store().find_project(id).await? else { return Ok(None) };
    if let Some(draft) = app.drafts().find(id, head) {
        return Ok(Some(draft));
    }
    let Some(stored) = app.store().find_draft(id).await? else { return Ok(None) };
    // Large documents take milliseconds of pure computation: not on the async threads.
    let work = move || project_of(&stored.document).map(|project| Draft::new(stored.head, project));
    let draft = match tokio::task::spawn_blocking(work).await {
        Ok(draft) => draft?,
        Err(panic) => return Err(StorageError::corrupt(format!("draft: {panic}"))),
    };
    Ok(Some(app.drafts().put(draft)))
}

fn tag_of(document: &Value) -> String {
    let hash = Sha256::digest(document.to_string());
    let digits: String = hash.iter().take(TAG_BYTES).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{digits}\"")
}
