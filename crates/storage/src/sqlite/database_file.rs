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
    absence: Mutex<Option<Absence>>,
}

/// The file is not at its path.
#[derive(Debug)]
struct Absence {
    /// What is there instead, as the log says already.
    told: Place,
    /// How many operations were refused since it began.
    refused: u64,
}

impl DatabaseFile {
    /// The file that is at `path` now.
    ///
    /// # Errors
    /// If there is none, or it cannot be looked at.
    pub fn at(path: &Path) -> io::Result<Self> {
        let identity = identity(path)?;
        Ok(Self { path: path.to_owned(), identity, absence: Mutex::new(None) })
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

    /// Makes sure that the file is at its path, for so many operations, which are refused otherwise. The log says once that it is not, once more
    /// if another file comes to its place or goes, and once that it is back and what was refused in between.
    ///
    /// # Errors
    /// [`StorageError::FileGone`] if it was moved, removed or replaced.
    pub fn require_in_place(&self, operations: usize) -> Result<(), StorageError> {
        // Looked at and told in one step, as several threads do.
        let mut absence = self.absence.lock().unwrap_or_else(PoisonError::into_inner);
        let place = self.look();
        if place == Place::Own {
            if let Some(Absence { refused, .. }) = absence.take() {
                let shown = self.path.display();
                tracing::info!(
                    "the database `{shown}` is back in its place; operations refused in between: {refused}"
                );
            }
            return Ok(());
        }
        if absence.as_ref().is_none_or(|absence| absence.told != place) {
            self.tell(place);
        }
        let operations = u64::try_from(operations).unwrap_or(u64::MAX);
        let so_far = absence.as_ref().map_or(0, |absence| absence.refused);
        *absence = Some(Absence { told: place, refused: so_far.saturating_add(operations) });
        Err(StorageError::FileGone)
    }

    fn tell(&self, place: Place) {
        let shown = self.path.display();
        match place {
            Place::Own => {}
            Place::Empty => tracing::error!(
                "the database `{shown}` was moved or removed while it is in use: nothing is written until it is back; \
                 hint: move the file itself back, as a copy is another file; one that was removed can be copied from /proc/{}/fd while the server runs; if it is lost, stop the server and `assay restore` the newest backup",
                std::process::id()
            ),
            Place::Another => tracing::error!(
                "another file has taken the place of the database `{shown}` while it is in use: nothing is written until the first one is back; \
                 hint: restart the server to use the new file, or move the first one back"
            ),
        }
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use super::DatabaseFile;
    use crate::sqlite::checkpoints::Checkpoints;
    use crate::sqlite::cleaning::Cleaning;
    use crate::sqlite::connection::{open_for_checkpoints, open_for_writing};
    use crate::sqlite::writer::Writer;

    #[tokio::test]
    async fn looks_at_the_database_are_not_counted_as_refused_operations() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assay.db");
        let connection = open_for_writing(&path).unwrap();
        let file = Arc::new(DatabaseFile::at(&path).unwrap());
        let checkpoints = open_for_checkpoints(&path).unwrap();
        let checkpoints = Checkpoints::start(checkpoints, Arc::clone(&file)).unwrap();
        let writer = Writer::start(connection, Cleaning::default(), checkpoints).unwrap();
        fs::rename(&path, folder.path().join("moved.db")).unwrap();

        for _ in 0..3 {
            writer.look(|_| Ok(()), |()| ()).await.unwrap_err();
        }
        writer.write(None, |_| Ok(())).await.unwrap_err();

        let absence = file.absence.lock().unwrap();
        assert_eq!(absence.as_ref().map(|absence| absence.refused), Some(1));
    }
}
