//! Somebody wants to see the projects of this server.

use storage::{Page, ProjectSummary, StorageError};

use crate::App;

/// One page of the projects, in the order of their ids. `page` counts from 1.
///
/// # Errors
/// If the store does not answer.
pub async fn list_projects(
    app: &App,
    page: u32,
    per_page: u32,
) -> Result<Vec<ProjectSummary>, StorageError> {
    app.store().list_projects(Page { page, per_page }).await
}
