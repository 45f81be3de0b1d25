//! Files of events beside a backup: `assay.backup` has the list of them, and the folder `assay.backup.events` has the files.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use lake::{Folder, FolderLock, copy_file, is_whole};
use storage::Backup;

use crate::failure::Failure;

const OF_A_SERVER: &str =
    "name another file for the backup: a server keeps its events in this folder";

/// Appended to the name of a backup.
const SUFFIX: &str = ".events";

/// So many of them, for people.
pub(crate) fn counted(files: usize) -> String {
    if files == 1 { "1 file of events".to_owned() } else { format!("{files} files of events") }
}

/// A folder of files that no process changes.
pub(crate) struct StillFolder {
    folder: Folder,
    lock: FolderLock,
}

impl StillFolder {
    /// The folder, if it is there.
    pub(crate) fn of(path: Option<PathBuf>) -> Result<Option<Self>, Failure> {
        let Some(path) = path.filter(|path| path.exists()) else { return Ok(None) };
        let folder = Folder::as_it_is(&path);
        let lock = folder.lock().map_err(|error| failed(&path, &error))?;
        Ok(Some(Self { folder, lock }))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// The folder beside a backup.
pub(crate) fn beside(backup: &Path) -> PathBuf {
    let mut name = backup.as_os_str().to_owned();
    name.push(SUFFIX);
    PathBuf::from(name)
}

/// The files that a backup lists.
pub(crate) fn listed(file: &File) -> Result<HashSet<String>, Failure> {
    let mut backup = file
        .try_clone()
        .map_err(Failure::environment)
        .and_then(|file| Backup::check(file).map_err(Failure::environment))?;
    Ok(backup.event_files().map_err(Failure::environment)?.into_iter().collect())
}

/// Makes the folder a backup's, if there is something to copy: a server that is started on it would change what is in it. One that has the
/// files of a server is refused.
pub(crate) fn own(folder: &Path, listed: &HashSet<String>) -> Result<(), Failure> {
    if listed.is_empty() && Folder::owner(folder).map_err(|error| failed(folder, &error))?.is_none()
    {
        return Ok(());
    }
    let opened = Folder::open(folder, Folder::BACKUP);
    opened.map(drop).map_err(|error| failed(folder, &error).with_hint(OF_A_SERVER))
}

/// Copies the listed files that are not there as they were written. Gives the names of those that are damaged or missing here, too, of
/// which nothing is copied.
pub(crate) fn copy(
    from: Option<&StillFolder>,
    to: &Path,
    listed: &HashSet<String>,
) -> Result<Vec<String>, Failure> {
    if listed.is_empty() {
        return Ok(Vec::new());
    }
    let from = from.ok_or_else(|| {
        Failure::input(
            "events are in files, and their folder is not there\n  hint: name it with --events; files that are lost are given up with `assay events give-up`",
        )
    })?;
    let mut damaged = Vec::new();
    for name in listed {
        let is_copied = copy_file(from.folder.path(), to, name)
            .map_err(|error| failed(&from.folder.path().join(name), &error))?;
        if !is_copied {
            damaged.push(name.clone());
        }
    }
    Ok(damaged)
}

/// Which of these files are missing in a folder, or are not as they were written.
pub(crate) fn not_whole(
    folder: &Path,
    names: &HashSet<String>,
) -> Result<HashSet<String>, Failure> {
    let mut found = HashSet::new();
    for name in names {
        if !is_whole(folder, name).map_err(|error| failed(&folder.join(name), &error))? {
            found.insert(name.clone());
        }
    }
    Ok(found)
}

/// Removes what an earlier backup of this name had.
pub(crate) fn remove_others(folder: &Path, listed: &HashSet<String>) -> Result<(), Failure> {
    let Some(old) = StillFolder::of(Some(folder.to_owned()))? else { return Ok(()) };
    let removed = old.folder.remove_left_over(&old.lock, listed);
    removed.map(|_| ()).map_err(|error| failed(folder, &error))
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::environment(format_args!("events in `{}`: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_file_is_no_files() {
        assert_eq!(counted(1), "1 file of events");
        assert_eq!(counted(2), "2 files of events");
    }
}
