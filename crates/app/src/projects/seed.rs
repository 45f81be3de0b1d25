//! A store gets its first project: what members made of it since is never overwritten.

use domain::Project;

use crate::App;
use crate::projects::publish::{Origin, PublishError, Published, publish_project};

/// Publishes `project` in the name of `by`, unless the store has a project with its id; `None` then.
///
/// # Errors
/// See [`PublishError`].
pub async fn seed_project(
    app: &App,
    project: Project,
    by: &str,
) -> Result<Option<Published>, PublishError> {
    if app.store().find_project(project.id).await?.is_some() {
        return Ok(None);
    }
    publish_project(app, project, Origin::Handed { by }).await.map(Some)
}
