//! Whether this process has the files that the database lists: processes that share a database may have been given different folders.

use std::collections::BTreeSet;
use std::io;

use crate::App;
use crate::events::copies::list_all_event_files;
use crate::events::folder::{EventFilesError, event_folder, off_thread};

/// Checks that all files are there that the database lists.
///
/// # Errors
/// See [`EventFilesError`].
pub async fn check_event_files(app: &App) -> Result<(), EventFilesError> {
    let Some(folder) = event_folder(app).await? else { return refuse_files(app).await };
    let path = folder.path().to_owned();
    let listed = list_all_event_files(app).await?;
    let count = listed.len();
    let is_missing = move |name: &String| !folder.path().join(name).exists();
    let find = move || Ok(listed.into_keys().filter(is_missing).collect());
    let mut missing: BTreeSet<String> = off_thread(find).await?;
    if !missing.is_empty() {
        // Another process may have put one in the place of several meanwhile.
        let still = list_all_event_files(app).await?;
        missing.retain(|name| still.contains_key(name));
    }
    let Some(first) = missing.first() else { return Ok(()) };
    let error = io::Error::other(format!(
        "{} of {count} files are not in it that the database lists, such as `{first}`; processes that share a database share one folder on one disk",
        missing.len()
    ));
    Err(EventFilesError::Folder { path, error })
}

/// Without a folder, there must be no files.
pub(super) async fn refuse_files(app: &App) -> Result<(), EventFilesError> {
    let is_listed = !app.store().list_projects_with_event_files().await?.is_empty();
    if is_listed { Err(EventFilesError::NoFolder) } else { Ok(()) }
}
