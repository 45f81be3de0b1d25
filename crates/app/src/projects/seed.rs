//! Gives a store its first project; never overwrites the changes of members.

use domain::Project;
use storage::ManagedBy;

use crate::App;
use crate::projects::publish::{Origin, PublishError, Published, publish_project};

/// Publishes `project` in the name of `by`, unless the store has a project with its id; then returns `None`. A project that a file managed
/// so far is published once more, and belongs to the members from then on.
///
/// # Errors
/// See [`PublishError`].
pub async fn seed_project(
    app: &App,
    project: Project,
    by: &str,
) -> Result<Option<Published>, PublishError> {
    let head = app.store().find_project(project.id).await?;
    if head.is_some_and(|head| head.managed_by == ManagedBy::Store) {
        return Ok(None);
    }
    publish_project(app, project, Origin::Handed { by }).await.map(Some)
}
