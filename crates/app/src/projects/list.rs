//! Somebody wants to see the projects of this server.

use domain::ProjectId;
use storage::{Counted, MemberId, Page, ProjectSummary, StorageError, WhichProjects};

use crate::App;
use crate::roles::{Permission, rights_of};

/// One page of the projects that a member may read, in the order of their ids, and how many there are on all pages. Who has no role at
/// all may read none.
///
/// # Errors
/// If the store does not answer.
pub async fn list_readable_projects(
    app: &App,
    member: MemberId,
    which: WhichProjects,
    page: Page,
) -> Result<(Vec<ProjectSummary>, u64), StorageError> {
    if rights_of(app, member).await?.include(None, Permission::ReadConfiguration) {
        let projects = list_projects(app, which, page).await?;
        return Ok((projects, app.store().count(Counted::Projects(which)).await?));
    }
    let projects = app.store().list_projects_of_member(member, which, page).await?;
    Ok((projects, app.store().count(Counted::ProjectsOfMember(member, which)).await?))
}

/// One page of the projects, in the order of their ids.
///
/// # Errors
/// If the store does not answer.
pub async fn list_projects(
    app: &App,
    which: WhichProjects,
    page: Page,
) -> Result<Vec<ProjectSummary>, StorageError> {
    app.store().list_projects(which, page).await
}

/// The project with this key, if this member may read it.
///
/// # Errors
/// If the store does not answer.
pub async fn find_readable_project(
    app: &App,
    member: MemberId,
    key: &str,
) -> Result<Option<ProjectId>, StorageError> {
    let rights = rights_of(app, member).await?;
    let found = app.store().find_project_by_key(key).await?;
    Ok(found.filter(|id| rights.include(Some(*id), Permission::ReadConfiguration)))
}
