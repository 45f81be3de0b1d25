//! Tells the file that was opened from another one at the same path. The engine keeps the file open and would write to it whatever has
//! become of its name: what is answered then is in a file that no restart finds, and a file in its place would get the log of the other.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::StorageError;

/// The file of a database, by its device and inode.
#[derive(Debug)]
pub struct DatabaseFile {
    path: PathBuf,
    identity: (u64, u64),
    /// While it is gone, as the log says already: how many operations were refused since.
    refused: Mutex<Option<u64>>,
}

impl DatabaseFile {
    /// The file that is at `path` now.
    ///
    /// # Errors
    /// If there is none, or it cannot be looked at.
    pub fn at(path: &Path) -> io::Result<Self> {
        let identity = identity(path)?;
        Ok(Self { path: path.to_owned(), identity, refused: Mutex::new(None) })
    }

    /// Where it was when it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file is at its path. The log says nothing of it.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        self.look() == Place::Own
    }

    /// Makes sure that the file is at its path, for so many operations, which are refused otherwise. The log says once that it is not, and once
    /// that it is back and what was refused in between.
    ///
    /// # Errors
    /// [`StorageError::FileGone`] if it was moved, removed or replaced.
    pub fn require_in_place(&self, operations: usize) -> Result<(), StorageError> {
        // Looked at and told in one step, as several threads do.
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let place = self.look();
        let operations = u64::try_from(operations).unwrap_or(u64::MAX);
        let so_far = *refused;
        *refused = (place != Place::Own).then(|| so_far.unwrap_or(0).saturating_add(operations));
        let (shown, was_gone) = (self.path.display(), so_far.is_some());
        match place {
            Place::Own if was_gone => tracing::info!(
                "the database `{shown}` is back in its place; operations refused in between: {}",
                so_far.unwrap_or(0)
            ),
            Place::Empty if !was_gone => tracing::error!(
                "the database `{shown}` was moved or removed while it is in use: nothing is written until it is back; \
                 hint: move the file itself back, as a copy is another file; one that was removed can be copied from /proc/{}/fd while the server runs; if it is lost, stop the server and `assay restore` the newest backup",
                std::process::id()
            ),
            Place::Another if !was_gone => tracing::error!(
                "another file has taken the place of the database `{shown}` while it is in use: nothing is written until the first one is back; \
                 hint: restart the server to use the new file, or move the first one back"
            ),
            Place::Own | Place::Empty | Place::Another => {}
        }
        if place == Place::Own { Ok(()) } else { Err(StorageError::FileGone) }
    }

    fn look(&self) -> Place {
        match identity(&self.path) {
            Ok(found) if found == self.identity => Place::Own,
            Ok(_) => Place::Another,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Place::Empty,
            // Rights to the folder that were taken away say nothing about the file.
            Err(_) => Place::Own,
        }
    }
}

/// What is at the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Own,
    Empty,
    Another,
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let metadata = path.metadata()?;
    Ok((metadata.dev(), metadata.ino()))
}
