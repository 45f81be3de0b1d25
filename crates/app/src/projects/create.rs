//! A program begins a project.

use std::sync::Arc;

use domain::{Pointer, SharedDocument};
use serde_json::{Map, Value, json};
use storage::{AuditEvent, ManagedBy, NewProject, ProjectHead, StorageError};

use crate::App;
use crate::documents::{check_shared, seen_from};
use crate::drafts::{Draft, EditError};
use crate::roles::{Actor, Permission};

/// The first draft of a project that was never published.
const BEGINNING: ProjectHead =
    ProjectHead { draft_version: 1, live_revision: None, managed_by: ManagedBy::Store };

/// Begins a project with nothing in it: `sent` is what a document says under `project`.
///
/// # Errors
/// See [`EditError`].
pub async fn create_project(
    app: &App,
    actor: &Actor,
    sent: Map<String, Value>,
) -> Result<Arc<Draft>, EditError> {
    create(app, actor, json!({"version": 1, "project": sent}), "project").await
}

/// Begins a project with all that a document says.
///
/// # Errors
/// See [`EditError`].
pub async fn create_project_of_document(
    app: &App,
    actor: &Actor,
    document: Value,
) -> Result<Arc<Draft>, EditError> {
    create(app, actor, document, "").await
}

async fn create(
    app: &App,
    actor: &Actor,
    document: Value,
    sent: &str,
) -> Result<Arc<Draft>, EditError> {
    actor.require(app, None, Permission::CreateProjects).await?;
    let author = actor.as_author(app).await?;
    let sent = if sent.is_empty() { Pointer::root() } else { Pointer::root().field(sent) };
    let work = move || {
        let checked = SharedDocument::of(document).and_then(|document| check_shared(&document));
        let checked = checked.map_err(|faults| EditError::Faults(seen_from(&sent, faults)))?;
        Ok::<_, EditError>(Draft::new(BEGINNING, checked, author))
    };
    let draft = tokio::task::spawn_blocking(work).await??;
    let id = draft.project.id;
    let entry = actor.entry(app, AuditEvent::ProjectAdded, (id, "project"), &Value::Null);
    let new = NewProject { id, draft: draft.to_store(), entry };
    match app.store().add_project(new).await {
        Ok(()) => Ok(app.drafts().put(draft)),
        Err(StorageError::Conflict) => Err(EditError::Taken),
        Err(error) => Err(error.into()),
    }
}
