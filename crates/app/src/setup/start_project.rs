//! An owner starts a project for another site of theirs. Like the first one it is live at once, so that its snippet can be installed.

use domain::ProjectId;
use storage::StorageError;
use thiserror::Error;

use crate::App;
use crate::projects::{CreateProjectError, other_id};
use crate::roles::{Actor, Permission, RoleError};
use crate::setup::fault::{SetUpFault, SetUpField};
use crate::setup::first_project::{FirstProject, numbered_key};
use crate::setup::set_up::{ProjectError, create_and_publish};

/// Why no project was started.
#[derive(Debug, Error)]
pub enum StartProjectError {
    /// The member may not.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// Fields are wrong; nothing was made.
    #[error("the form has faults")]
    Invalid(Vec<SetUpFault>),
    /// The project was not made, or is not live.
    #[error(transparent)]
    Failed(#[from] ProjectError),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Makes a project with its home page, and publishes it.
///
/// # Errors
/// See [`StartProjectError`].
pub async fn start_project(
    app: &App,
    actor: &Actor,
    project: &FirstProject,
) -> Result<ProjectId, StartProjectError> {
    actor.require(app, None, Permission::CreateProjects).await?;
    let mut project = project.clone();
    if project.needs_key() {
        project.key = free_key(app).await?;
    }
    let document = project.document(None).map_err(StartProjectError::Invalid)?;
    let key = document["project"]["key"].as_str().unwrap_or_default();
    if app.store().find_project_by_key(key).await?.is_some() {
        return Err(taken());
    }
    match create_and_publish(app, actor, document.clone()).await {
        Err(ProjectError::Create(
            CreateProjectError::Taken("id") | CreateProjectError::Deleted(_),
        )) => {
            // The key is free, and the id that it makes is not.
            let key = key.parse().map_err(|_| taken())?;
            let id = other_id(app, &key).await?.ok_or_else(taken)?;
            let document = project.document(Some(&id.to_string()));
            let document = document.map_err(StartProjectError::Invalid)?;
            Ok(create_and_publish(app, actor, document).await?)
        }
        Err(ProjectError::Create(CreateProjectError::Taken(_))) => Err(taken()),
        done => Ok(done?),
    }
}

/// The first key `project_1`, `project_2`, … that no project has.
async fn free_key(app: &App) -> Result<String, StorageError> {
    let mut number = 1;
    while app.store().find_project_by_key(&numbered_key(number)).await?.is_some() {
        number += 1;
    }
    Ok(numbered_key(number))
}

fn taken() -> StartProjectError {
    let fault = SetUpFault::new(SetUpField::Key, "another project has this key");
    let hint = Some("type another one".to_owned());
    StartProjectError::Invalid(vec![SetUpFault { hint, ..fault }])
}
