//! Deletes a project together with the files of its events.

use storage::ProjectDeletion;

use crate::App;
use crate::events::folder::{EventFilesError, event_folder, locked};
use crate::events::seal::discard;

/// Deletes a project and the files of its events; copies of files follow the list of files. `false` if the project is not as it was seen.
///
/// # Errors
/// If the store does not answer, or this process does not know where the files are: then nothing is deleted. If a file cannot be removed: the
/// server removes it when it next looks for files that are not listed.
pub(crate) async fn delete_project_with_events(
    app: &App,
    deletion: ProjectDeletion,
) -> Result<bool, EventFilesError> {
    let project = deletion.project_id;
    let folder = event_folder(app).await?;
    // Sealing and compaction wait, so that no file is made of events that go.
    let _lock = locked(folder.clone()).await?;
    if folder.is_none() && !app.store().list_event_files(project).await?.is_empty() {
        return Err(EventFilesError::NoFolder);
    }
    let Some(files) = app.store().delete_project(deletion).await? else { return Ok(false) };
    app.store().erase_deleted().await;
    if let Some(folder) = folder {
        discard(app, &folder, project, &files).await?;
    }
    Ok(true)
}
