//! A backup before it is whole: a copy of the database, under a name that no reader takes for anything else.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::interruption::Unfinished;

const PREFIX: &str = ".assay-backup-";

/// As often as another backup may take a new file for one that a process left.
const TRIES: usize = 8;

/// A file in this folder, readable by its owner alone, which is locked for as long as it is written.
pub(super) fn begin(folder: &Path, unfinished: &Unfinished) -> io::Result<NamedTempFile> {
    for _ in 0..TRIES {
        let file = Builder::new().prefix(PREFIX).make_in(folder, |path| {
            unfinished.add(path);
            File::options().read(true).write(true).create_new(true).mode(0o600).open(path)
        })?;
        // Without locks, as on some network file systems, nothing is swept either.
        let is_taken = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
        if !is_taken && file.path().exists() {
            return Ok(file);
        }
    }
    Err(io::Error::other("other processes remove what is written"))
}

/// Removes what processes left that ended in the middle, as by a lack of memory: the system has unlocked it.
pub(super) fn sweep(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_ours && entry.file_type()?.is_file() {
            remove_if_left(&entry.path());
        }
    }
    Ok(())
}

fn remove_if_left(path: &Path) {
    // One that cannot be opened or removed is another user's, or has just become whole.
    let Ok(file) = File::open(path) else { return };
    if file.try_lock().is_ok() {
        let _removed = fs::remove_file(path);
    }
}
