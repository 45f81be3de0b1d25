//! Where events are kept in files, if this server keeps them so.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::OnceLock;

use lake::{CompactError, Folder, FolderLock, LakeError};
use oauth::SigningKey;
use sha2::{Digest as _, Sha256};
use storage::{KeyUse, StorageError};
use thiserror::Error;

use crate::App;
use crate::computation::{compute, compute_in_background};
use crate::events::lost::LostFiles;
use crate::roles::RoleError;
use crate::signing_key::key_for;

/// Separates the folder's mark from others that the server's key makes.
const PURPOSE: &[u8] = b"assay files of events";

/// How events are kept.
#[derive(Debug, Clone, Default)]
pub struct EventKeeping {
    /// The folder of their files; without one, all stay in the log.
    pub folder: Option<PathBuf>,
    /// Days after which they are deleted; `None` never.
    pub days: Option<u32>,
    /// Milliseconds after which they leave the log.
    pub logged_ms: i64,
    /// The system that gets their files, if one does.
    pub sink: Option<String>,
}

/// The folder, once it is open.
pub(crate) type OpenFolder = OnceLock<Folder>;

/// Why files of events cannot be read or written.
#[derive(Debug, Error)]
pub enum EventFilesError {
    /// The folder.
    #[error("the folder of events `{}` cannot be used: {error}", path.display())]
    Folder {
        /// Where it is.
        path: PathBuf,
        /// What is wrong.
        error: std::io::Error,
    },
    /// A file cannot be written or removed.
    #[error("a file of events cannot be written: {0}")]
    Write(#[from] std::io::Error),
    /// A file cannot be read.
    #[error("the file of events `{name}` cannot be read: {error}")]
    Read {
        /// Its name.
        name: String,
        /// Why.
        error: LakeError,
    },
    /// Some files cannot be read, while all was done in the others.
    #[error(
        "all events of the visitor are deleted but those in damaged files, which cannot be searched: {}; put these files back from a \
         backup and ask once more",
        files.join(", ")
    )]
    Damaged {
        /// Their names.
        files: Vec<String>,
    },
    /// Files cannot be made into one.
    #[error("files of events cannot be made into one: {0}")]
    Compact(#[from] CompactError),
    /// Files are lost.
    #[error("{0}")]
    Lost(Box<LostFiles>),
    /// The list has files, and this process has no folder.
    #[error(
        "the database lists files of events, and this process was not told where they are: `--events` names their folder"
    )]
    NoFolder,
    /// The store does not answer, or has something that cannot be.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Why a project's events are not deleted, or not handed out.
#[derive(Debug, Error)]
pub enum KeptEventsError {
    /// The actor may not ask for it.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// Files cannot be read or written.
    #[error(transparent)]
    Files(#[from] EventFilesError),
    /// No project has this id.
    #[error("there is no project with this id")]
    UnknownProject,
}

impl From<StorageError> for KeptEventsError {
    fn from(error: StorageError) -> Self {
        Self::Files(error.into())
    }
}

impl EventFilesError {
    fn is_full_disk(&self) -> bool {
        match self {
            Self::Write(error) | Self::Compact(CompactError::Unwritable(error)) => {
                error.kind() == ErrorKind::StorageFull
            }
            Self::Folder { .. }
            | Self::Read { .. }
            | Self::Damaged { .. }
            | Self::Compact(CompactError::Unreadable { .. } | CompactError::TooMany(_))
            | Self::Lost(_)
            | Self::NoFolder
            | Self::Storage(_) => false,
        }
    }
}

/// Results and the like know one reason: what is kept cannot be had.
impl From<EventFilesError> for StorageError {
    fn from(error: EventFilesError) -> Self {
        match error {
            EventFilesError::Storage(error) => error,
            error @ (EventFilesError::Folder { .. }
            | EventFilesError::Write(_)
            | EventFilesError::Read { .. }
            | EventFilesError::Damaged { .. }
            | EventFilesError::Compact(_)
            | EventFilesError::Lost(_)
            | EventFilesError::NoFolder) => {
                tracing::error!("{error}");
                if error.is_full_disk() { Self::Full } else { Self::EventFiles(error.to_string()) }
            }
        }
    }
}

/// The folder of this server, if it has one.
pub(super) async fn event_folder(app: &App) -> Result<Option<Folder>, EventFilesError> {
    let Some(path) = &app.event_keeping().folder else { return Ok(None) };
    if let Some(folder) = app.event_files().folder.get() {
        return Ok(Some(folder.clone()));
    }
    let opened = Folder::open(path, &owner_of(app).await?);
    let folder = opened.map_err(|error| EventFilesError::Folder { path: path.clone(), error })?;
    Ok(Some(app.event_files().folder.get_or_init(|| folder).clone()))
}

/// What marks folders as those of this database. It says nothing of the key, and a copy that was restored has another one.
pub(super) async fn owner_of(app: &App) -> Result<String, EventFilesError> {
    Ok(event_folder_owner(&key_for(app, KeyUse::EventFiles).await?))
}

/// What marks folders as those of the database with this key for files of events.
#[must_use]
pub fn event_folder_owner(key: &SigningKey) -> String {
    let owner = Sha256::new().chain_update(key.as_bytes()).chain_update(PURPOSE).finalize();
    hex::encode(&owner[..16])
}

/// Waits until no other process changes the folder, and keeps it so while the lock is held.
pub(super) async fn locked(folder: Option<Folder>) -> Result<Option<FolderLock>, EventFilesError> {
    off_thread(move || Ok(folder.map(|folder| folder.lock()).transpose()?)).await
}

/// Runs what reads or writes files off the async threads.
pub(super) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, EventFilesError> + Send + 'static,
) -> Result<T, EventFilesError> {
    compute("use_event_files", work).await.map_err(StorageError::from)?
}

/// The same for what no request waits for.
pub(super) async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, EventFilesError> + Send + 'static,
) -> Result<T, EventFilesError> {
    compute_in_background("make_event_files", work).await.map_err(StorageError::from)?
}
