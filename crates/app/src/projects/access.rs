//! What a member may do in a project: by their role, and by what manages it.

use domain::ProjectId;
use storage::{ManagedBy, MemberId, StorageError};

use crate::App;
use crate::roles::{Permission, Rights, rights_of};

/// What a member may do in a project, at this moment.
#[derive(Debug, Clone)]
pub struct ProjectAccess {
    project: ProjectId,
    rights: Rights,
    managed_by: ManagedBy,
}

/// What a member may do in a project; `None` if there is no such project.
///
/// # Errors
/// When the store does not answer.
pub async fn project_access(
    app: &App,
    member: MemberId,
    project: ProjectId,
) -> Result<Option<ProjectAccess>, StorageError> {
    let rights = rights_of(app, member).await?;
    let head = app.store().find_project(project).await?;
    Ok(head.map(|head| ProjectAccess { project, rights, managed_by: head.managed_by }))
}

/// Whether there is such a project, whatever is live of it.
///
/// # Errors
/// When the store does not answer.
pub async fn project_exists(app: &App, project: ProjectId) -> Result<bool, StorageError> {
    Ok(app.store().find_project(project).await?.is_some())
}

/// [`StorageError::NoSuchProject`] if there is none with this id: who has a role on the whole server may name any.
pub(crate) async fn require_project(app: &App, project: ProjectId) -> Result<(), StorageError> {
    project_exists(app, project).await?.then_some(()).ok_or(StorageError::NoSuchProject)
}

impl ProjectAccess {
    /// Whether the member's role has this permission.
    #[must_use]
    pub fn has(&self, permission: Permission) -> bool {
        self.rights.include(Some(self.project), permission)
    }

    /// Whether the member may change the project so: no member may if a project file manages it.
    #[must_use]
    pub fn may_change(&self, permission: Permission) -> bool {
        !self.is_managed_by_file() && self.has(permission)
    }

    /// Whether a project file manages the project.
    #[must_use]
    pub fn is_managed_by_file(&self) -> bool {
        self.managed_by == ManagedBy::File
    }
}
