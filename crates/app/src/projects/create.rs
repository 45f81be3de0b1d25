//! A program creates a project.

use std::sync::Arc;

use domain::{Key, Pointer, ProjectId, SharedDocument, project_ids};
use serde_json::{Map, Value, json};
use storage::{AuditEvent, ManagedBy, NewProject, ProjectHead, StorageError};
use thiserror::Error;

use crate::App;
use crate::computation::compute;
use crate::documents::{check_shared, seen_from};
use crate::drafts::{Draft, EditError};
use crate::roles::{Actor, Permission};

/// Why no project was created.
#[derive(Debug, Error)]
pub enum CreateProjectError {
    /// The member may not, or the new document would be invalid.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A project with this `id` or `key` already exists.
    #[error("there is a project with this {0} already")]
    Taken(&'static str),
    /// A project with this `id` was deleted.
    #[error(
        "a project with the id {0} was deleted, and no other one gets its id: pages may still load its snippet; \
         give this one an `id` of its own"
    )]
    Deleted(ProjectId),
}

/// Projects of one key that were deleted one after the other: far more than an agency has.
const IDS_AT_MOST: usize = 1_000;

/// The head of a project that was never published.
const BEGINNING: ProjectHead =
    ProjectHead { draft_version: 1, live_revision: None, managed_by: ManagedBy::Store };

/// Creates an empty project: `sent` is what a document says under `project`. Unless it says otherwise, the project takes preview links: a
/// member who makes their first experiment wants to look at it. A document says itself what it wants. Where a project with the id of its key
/// was deleted, it gets another one.
///
/// # Errors
/// See [`CreateProjectError`].
pub async fn create_project(
    app: &App,
    actor: &Actor,
    mut sent: Map<String, Value>,
) -> Result<Arc<Draft>, CreateProjectError> {
    if let Some(snippet) = sent.entry("snippet").or_insert_with(|| json!({})).as_object_mut() {
        snippet.entry("preview").or_insert(Value::Bool(true));
    }
    let mut document = json!({"version": 1, "project": sent});
    if !document["project"]["id"].is_null() {
        return create(app, actor, document, "project").await;
    }
    match create(app, actor, document.clone(), "project").await {
        Err(error @ (CreateProjectError::Deleted(_) | CreateProjectError::Taken("id"))) => {
            let project = &document["project"];
            let key = project["key"].as_str().and_then(|key| key.parse().ok());
            let key = key.or_else(|| Key::from_name(project["name"].as_str()?));
            let id = match key {
                Some(key) => other_id(app, &key).await.map_err(EditError::from)?,
                None => None,
            };
            document["project"]["id"] = json!(id.ok_or(error)?.to_string());
            create(app, actor, document, "project").await
        }
        created => created,
    }
}

/// The first of the ids that can be made of a project's key which no project has or had: the one with this key may be deleted, or have another
/// key by now.
pub(crate) async fn other_id(app: &App, key: &Key) -> Result<Option<ProjectId>, StorageError> {
    for id in project_ids(key).take(IDS_AT_MOST) {
        let is_taken = app.store().find_project(id).await?.is_some();
        if !is_taken && !app.store().was_deleted(id, app.now()).await? {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Creates a project from a document. Its author knows its id without asking, so it gets no other one.
///
/// # Errors
/// See [`CreateProjectError`].
pub async fn create_project_of_document(
    app: &App,
    actor: &Actor,
    document: Value,
) -> Result<Arc<Draft>, CreateProjectError> {
    create(app, actor, document, "").await
}

async fn create(
    app: &App,
    actor: &Actor,
    document: Value,
    sent: &str,
) -> Result<Arc<Draft>, CreateProjectError> {
    let says_id = !document["project"]["id"].is_null();
    let draft = first_draft(app, actor, document, sent).await?;
    let (id, key) = (draft.project.id, draft.project.key.clone());
    let entry = actor.entry(app, AuditEvent::ProjectAdded, (id, "project"), &Value::Null);
    let new = NewProject { id, draft: draft.to_store(), entry };
    match app.store().add_project(new).await {
        Ok(()) => Ok(app.caches().drafts.put(draft)),
        Err(StorageError::Conflict) => {
            // Its id was made of its key, which the author knows; the project there may have another key by now.
            let of_key = app.store().find_project_by_key(key.as_str()).await;
            let is_key = !says_id && of_key.map_err(EditError::from)? == Some(id);
            let head = app.store().find_project(id).await.map_err(EditError::from)?;
            Err(match head {
                Some(_) => CreateProjectError::Taken(if is_key { "key" } else { "id" }),
                None => CreateProjectError::Deleted(id),
            })
        }
        Err(error) => Err(EditError::from(error).into()),
    }
}

async fn first_draft(
    app: &App,
    actor: &Actor,
    document: Value,
    sent: &str,
) -> Result<Draft, EditError> {
    actor.require(app, None, Permission::CreateProjects).await?;
    let author = actor.as_author(app).await?;
    let sent = if sent.is_empty() { Pointer::root() } else { Pointer::root().field(sent) };
    let work = move || {
        let checked = SharedDocument::of(document).and_then(|document| check_shared(&document));
        let checked = checked.map_err(|faults| EditError::Invalid(seen_from(&sent, faults)))?;
        Ok(Draft::new(BEGINNING, checked, author))
    };
    compute("check_document", work).await?
}
