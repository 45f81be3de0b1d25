//! Reads what the store has of a project, and tells what cannot be read: for who looks after a server.

use domain::Project;
use storage::{ProjectSummary, StorageError};

use crate::App;
use crate::computation::compute;
use crate::documents::{StoredDocument, project_of};

/// The documents of a project, as the store has them; in place of one that cannot be read, which it is and why.
#[derive(Debug)]
pub struct StoredDocuments {
    /// The draft's.
    pub draft: Option<Result<Project, StorageError>>,
    /// That of the live revision.
    pub live: Option<Result<Project, StorageError>>,
}

/// The draft of a project and its live revision, if there is one. No cache is asked.
///
/// # Errors
/// If the store does not answer.
pub async fn read_stored_documents(
    app: &App,
    project: &ProjectSummary,
) -> Result<StoredDocuments, StorageError> {
    let id = project.id;
    let draft = match app.store().find_draft(id).await? {
        Some(draft) => Some(read(StoredDocument::Draft(id), draft.document).await),
        None => None,
    };
    let live = match project.head.live_revision {
        Some(number) => {
            let whose = StoredDocument::Revision(id, number);
            Some(match app.store().lookup_revision_document(id, number).await? {
                Some(document) => read(whose, document).await,
                None => Err(whose.unreadable("it is not there")),
            })
        }
        None => None,
    };
    Ok(StoredDocuments { draft, live })
}

async fn read(whose: StoredDocument, document: String) -> Result<Project, StorageError> {
    let read = compute("read_document", move || project_of(whose, &document)).await;
    read.unwrap_or_else(|stopped| Err(whose.stopped(stopped)))
}
