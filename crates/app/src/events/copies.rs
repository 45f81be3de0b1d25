//! Keeps copies of the files of events where other tools read them. The list of files is the truth, and copies follow it.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use async_trait::async_trait;
use thiserror::Error;

use crate::App;
use crate::events::folder::{EventFilesError, event_folder, owner_of};

/// A place for copies of files, such as a bucket of object storage.
#[async_trait]
pub trait EventCopies: Send + Sync + 'static {
    /// Whose copies these are; the first who asks is it from then on.
    async fn owner(&self, asking: &str) -> Result<String, EventCopyError>;

    /// The files that are there, with their sizes in bytes. What is no file of events is not among them.
    async fn list(&self) -> Result<BTreeMap<String, u64>, EventCopyError>;

    /// Copies a file. A file that is there already is replaced.
    async fn put(&self, name: &str, file: &Path) -> Result<(), EventCopyError>;

    /// Deletes a copy. One that is gone already is so.
    async fn delete(&self, name: &str) -> Result<(), EventCopyError>;
}

/// Why a place for copies does not do what it should.
#[derive(Debug, Error)]
pub enum EventCopyError {
    /// The file that is to be copied cannot be read.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The place does not answer, or says no; without any secret.
    #[error("{0}")]
    Destination(String),
}

/// Why copies are not what files are.
#[derive(Debug, Error)]
pub enum CopyEventsError {
    /// The place has the files of another server.
    #[error(
        "the copies of events there are of another Assay: give each a prefix of its own, or remove `.assay` there if that one is gone"
    )]
    OfAnother,
    /// See [`EventCopyError`].
    #[error(transparent)]
    Copy(#[from] EventCopyError),
    /// See [`EventFilesError`].
    #[error(transparent)]
    Files(#[from] EventFilesError),
}

/// What was done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CopiedEvents {
    /// Files that were copied.
    pub copied: u64,
    /// Copies that were deleted, because their files are gone.
    pub deleted: u64,
}

/// The files of all projects, with their sizes: copies that are the same need nothing.
///
/// # Errors
/// If the store does not answer.
pub async fn list_all_event_files(app: &App) -> Result<BTreeMap<String, u64>, EventFilesError> {
    let mut files = BTreeMap::new();
    for project in app.store().list_projects_with_event_files().await? {
        let of_project = app.store().list_event_files(project).await?;
        files.extend(of_project.into_iter().map(|file| (file.name, file.bytes)));
    }
    Ok(files)
}

/// Whether files or copies that belong to `owner` are this server's.
///
/// # Errors
/// If the store does not answer.
pub async fn owns_event_files(app: &App, owner: &str) -> Result<bool, EventFilesError> {
    Ok(owner_of(app).await? == owner)
}

/// Copies the files that have no copy, and then deletes the copies that have no file: who reads meanwhile sees an event twice rather than not at all.
///
/// # Errors
/// See [`CopyEventsError`]. What was done until then stays done, and the next time does the rest.
pub async fn copy_event_files(
    app: &App,
    copies: &dyn EventCopies,
) -> Result<CopiedEvents, CopyEventsError> {
    let folder = event_folder(app).await?.ok_or(EventFilesError::NoFolder)?;
    let owner = owner_of(app).await?;
    if copies.owner(&owner).await? != owner {
        return Err(CopyEventsError::OfAnother);
    }
    // Files are listed before they are copied. So a copy that was there before the list was read, and is not in it, has no file any more.
    let there = copies.list().await?;
    let files = list_all_event_files(app).await?;
    let mut done = CopiedEvents::default();
    for (name, bytes) in &files {
        if there.get(name) == Some(bytes) {
            continue;
        }
        match copies.put(name, &folder.path().join(name)).await {
            // Others may have taken its place meanwhile.
            Err(EventCopyError::File(error)) if error.kind() == io::ErrorKind::NotFound => {}
            put => {
                put?;
                done.copied += 1;
            }
        }
    }
    for name in there.keys().filter(|name| !files.contains_key(*name)) {
        copies.delete(name).await?;
        done.deleted += 1;
    }
    Ok(done)
}
