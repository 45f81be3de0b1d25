//! An owner of the server deletes an archived project for good, with all that is of it: what visitors load, what members wrote, and what was
//! collected. The audit log stays, and the id stays taken: pages that still load the snippet must not get that of another project.

use domain::ProjectId;
use serde_json::Value;
use storage::{AuditEvent, ManagedBy, NewAuditEntry, ProjectDeletion, StorageError};
use thiserror::Error;

use crate::App;
use crate::drafts::{EditError, ExpectedVersion, ReadError, open_draft, project_view};
use crate::events::{EventFilesError, delete_project_with_events};
use crate::roles::{Actor, Permission, RoleError};

/// Why a project is not deleted.
#[derive(Debug, Error)]
pub enum DeleteProjectError {
    /// There is no such project, the actor may not, it has changed, or a project file manages it.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// What the actor typed is another key.
    #[error("this is not the key of the project")]
    OtherKey,
    /// It is in use.
    #[error("only an archived project can be deleted: archive it first")]
    NotArchived,
    /// The files of its events cannot be removed.
    #[error(transparent)]
    Files(#[from] EventFilesError),
}

impl From<RoleError> for DeleteProjectError {
    fn from(error: RoleError) -> Self {
        EditError::from(error).into()
    }
}

impl From<StorageError> for DeleteProjectError {
    fn from(error: StorageError) -> Self {
        EditError::from(error).into()
    }
}

impl From<ReadError> for DeleteProjectError {
    fn from(error: ReadError) -> Self {
        EditError::from(error).into()
    }
}

/// Deletes project `id` for good, if its key is `key`: the actor names it twice, so that no slip deletes another one.
///
/// # Errors
/// See [`DeleteProjectError`].
pub async fn delete_project(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    (key, expected): (&str, ExpectedVersion),
) -> Result<(), DeleteProjectError> {
    actor.require(app, None, Permission::DeleteProjects).await?;
    let draft = open_draft(app, id).await?.ok_or(ReadError::UnknownProject)?;
    if draft.head.managed_by == ManagedBy::File {
        return Err(EditError::ManagedByFile.into());
    }
    expected.check(&project_view(&draft))?;
    if draft.project.key.as_str() != key {
        return Err(DeleteProjectError::OtherKey);
    }
    if !draft.project.archived {
        return Err(DeleteProjectError::NotArchived);
    }
    let entry = actor.entry(app, AuditEvent::ProjectDeleted, (id, "project"), &Value::Null);
    let entry = NewAuditEntry { detail: key.to_owned(), ..entry };
    let draft_version = draft.head.draft_version;
    let deletion = ProjectDeletion { project_id: id, draft_version, entry };
    if !delete_project_with_events(app, deletion).await? {
        return Err(EditError::changed(project_view(&draft), None).into());
    }
    Ok(())
}
