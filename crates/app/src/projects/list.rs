//! Lists the projects of this server.

use domain::ProjectId;
use storage::{Counted, Page, ProjectSummary, StorageError, WhichProjects};

use crate::App;
use crate::roles::{Actor, Permission, Rights, RoleError};

/// One page of the projects that the actor may read, ordered by id, and how many there are on all pages. An actor without a role may read
/// none.
///
/// # Errors
/// If the store does not answer.
pub async fn list_readable_projects(
    app: &App,
    actor: &Actor,
    which: WhichProjects,
    page: Page,
) -> Result<(Vec<ProjectSummary>, u64), RoleError> {
    actor.require_scope(Permission::ReadConfiguration.needed_scope())?;
    let rights = actor.rights(app).await?;
    let reads_all = |rights: &Rights| rights.include(None, Permission::ReadConfiguration);
    match actor.member().filter(|_| !rights.as_ref().is_none_or(reads_all)) {
        None => {
            let projects = list_projects(app, which, page).await?;
            Ok((projects, app.store().count(Counted::Projects(which)).await?))
        }
        Some(member) => {
            let projects = app.store().list_projects_of_member(member, which, page).await?;
            let counted = Counted::ProjectsOfMember(member, which);
            Ok((projects, app.store().count(counted).await?))
        }
    }
}

/// One page of the projects, ordered by id.
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

/// The project with this key, if the actor may read it.
///
/// # Errors
/// If the store does not answer.
pub async fn find_readable_project(
    app: &App,
    actor: &Actor,
    key: &str,
) -> Result<Option<ProjectId>, StorageError> {
    let rights = actor.rights(app).await?;
    let found = app.store().find_project_by_key(key).await?;
    let is_readable = |id: &ProjectId| {
        let include = |rights: &Rights| rights.include(Some(*id), Permission::ReadConfiguration);
        rights.as_ref().is_none_or(include)
    };
    Ok(found.filter(is_readable))
}
