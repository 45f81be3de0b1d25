//! The folder of all files: whose it is, who may change it at present, and what in it is left over.

use std::collections::HashSet;
use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tempfile::{Builder, NamedTempFile};

use crate::place::{FOLDER_MODE, UNFINISHED, invalid, make, named, sync_folder};
use crate::write::{FILE_MODE, file_name, is_file_name};

/// Says whose the files are. Readers of folders skip what begins with a dot.
const OWNER: &str = ".assay";

/// Locked by who changes the folder.
const LOCK: &str = ".lock";

/// A folder of files, of one owner.
#[derive(Debug, Clone)]
pub struct Folder(PathBuf);

/// While it is there, no other process changes the folder. The system takes it from a process that ends.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl Folder {
    /// Owns what is beside a backup, as no database does.
    pub const BACKUP: &str = "backup";

    /// Opens the folder, and makes it where there is none. Its first owner is its only one: what lists no file of a folder must not take
    /// them for left over.
    ///
    /// # Errors
    /// If the disk fails, or the folder has another owner.
    pub fn open(path: &Path, owner: &str) -> io::Result<Self> {
        fs::DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)?;
        let found = match Self::owner(path)? {
            Some(found) => found,
            None => mark(path, owner)?,
        };
        refuse_other(&found, Some(owner)).map(|()| Self(path.to_owned()))
    }

    /// Refuses a folder that belongs to another than `owner`, and without one any that has an owner. Nothing is made.
    ///
    /// # Errors
    /// If the disk fails, or the folder has another owner.
    pub fn check_owner(path: &Path, owner: Option<&str>) -> io::Result<()> {
        Self::owner(path)?.map_or(Ok(()), |found| refuse_other(&found, owner))
    }

    /// Whose the folder is. `None` if it has no owner yet, or is not there.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn owner(path: &Path) -> io::Result<Option<String>> {
        match fs::read_to_string(path.join(OWNER)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            found => Ok(Some(found?.trim().to_owned())),
        }
    }

    /// Takes the owner off the folder if it is that of `owner`, whose database is gone.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn give_up(path: &Path, owner: &str) -> io::Result<()> {
        if Self::owner(path)?.as_deref() != Some(owner) {
            return Ok(());
        }
        fs::remove_file(path.join(OWNER))?;
        sync_folder(path)
    }

    /// A folder whose owner does not matter: to read or copy it.
    #[must_use]
    pub fn as_it_is(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Waits until no other process changes the folder.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn lock(&self) -> io::Result<FolderLock> {
        let file = self.lock_file()?;
        file.lock()?;
        Ok(FolderLock { _file: file })
    }

    /// The lock, if no other process has it.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn try_lock(&self) -> io::Result<Option<FolderLock>> {
        let file = self.lock_file()?;
        match file.try_lock() {
            Ok(()) => Ok(Some(FolderLock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn lock_file(&self) -> io::Result<File> {
        let mut options = File::options();
        let path = self.0.join(LOCK);
        let opened = options.create(true).truncate(false).write(true).mode(FILE_MODE).open(&path);
        opened.map_err(|error| named(&path, &error))
    }

    /// Removes a file, and its day's folder with the last one. One that is gone already is so.
    ///
    /// # Errors
    /// If the disk fails, or the name is none that we give: it could lead out of the folder.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        if !is_file_name(name) {
            return Err(invalid("not the name of a file of events"));
        }
        let path = self.0.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        // A folder that has something is not removed.
        if let Some(day) = path.parent() {
            let _is_in_use = fs::remove_dir(day);
        }
        Ok(())
    }

    /// Removes what a crash left: what is half written, and whole files that no list has. Tells how many these were.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn remove_left_over(
        &self,
        _lock: &FolderLock,
        listed: &HashSet<String>,
    ) -> io::Result<u64> {
        let mut removed = 0;
        for day in self.days()? {
            for path in self.unlisted(&day, listed)? {
                fs::remove_file(&path)?;
                removed += 1;
            }
            let _is_in_use = fs::remove_dir(&day);
        }
        Ok(removed)
    }

    /// How many whole files there are that no list has.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn count_unlisted(&self, listed: &HashSet<String>) -> io::Result<usize> {
        let is_whole = |path: &&PathBuf| path.extension().is_some_and(|end| end == "parquet");
        let mut found = 0;
        for day in self.days()? {
            found += self.unlisted(&day, listed)?.iter().filter(is_whole).count();
        }
        Ok(found)
    }

    fn days(&self) -> io::Result<Vec<PathBuf>> {
        let mut days = Vec::new();
        for project in folders(&self.0, "project=")? {
            days.extend(folders(&project, "day=")?);
        }
        Ok(days)
    }

    /// What of a day is ours and on no list.
    fn unlisted(&self, day: &Path, listed: &HashSet<String>) -> io::Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for file in fs::read_dir(day)? {
            let path = file?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let below = path.strip_prefix(&self.0).unwrap_or(&path).to_string_lossy();
            let is_ours = name.starts_with(UNFINISHED) || name.ends_with(".parquet");
            if is_ours && !listed.contains(&*below) {
                found.push(path);
            }
        }
        Ok(found)
    }
}

fn refuse_other(found: &str, owner: Option<&str>) -> io::Result<()> {
    match found {
        found if owner == Some(found) => Ok(()),
        Folder::BACKUP => Err(invalid("its file `.assay` says that it belongs to a backup")),
        _ => Err(invalid("its file `.assay` says that it belongs to another database")),
    }
}

/// Makes it the folder of this owner, unless another one is faster; gives the owner that it has.
fn mark(path: &Path, owner: &str) -> io::Result<String> {
    let mark = path.join(OWNER);
    let mut new = NamedTempFile::new_in(path)?;
    new.write_all(owner.as_bytes())?;
    new.as_file().sync_all()?;
    match new.persist_noclobber(&mark) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(error.error);
        }
        Ok(_) | Err(_) => {}
    }
    sync_folder(path)?;
    Ok(fs::read_to_string(&mark)?.trim().to_owned())
}

fn folders(parent: &Path, prefix: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() && entry.file_name().to_string_lossy().starts_with(prefix) {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// Whether a file is in a folder as it was written: its name tells what is in it.
///
/// # Errors
/// If the disk fails.
pub fn is_whole(folder: &Path, name: &str) -> io::Result<bool> {
    let mut file = match File::open(folder.join(name)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        file => file?,
    };
    let mut summed = WholeSum { inner: io::sink(), sum: Sha256::new() };
    io::copy(&mut file, &mut summed)?;
    Ok(summed.is_of(name))
}

/// Copies a file from one folder to the same place in another, unless it is there already as it was written. `false` if it is missing or not
/// as it was written in either: then nothing is copied.
///
/// # Errors
/// If the disk fails.
pub fn copy_file(from: &Path, to: &Path, name: &str) -> io::Result<bool> {
    if is_whole(to, name)? {
        return Ok(true);
    }
    let mut source = match File::open(from.join(name)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        source => source?,
    };
    let parent = Path::new(name).parent().unwrap_or(Path::new(""));
    let folder = make(to, parent)?;
    let new = Builder::new().prefix(UNFINISHED).tempfile_in(&folder)?;
    let mut summed = WholeSum { inner: new, sum: Sha256::new() };
    io::copy(&mut source, &mut summed)?;
    if !summed.is_of(name) {
        return Ok(false);
    }
    let new = summed.inner;
    new.as_file().set_permissions(Permissions::from_mode(FILE_MODE))?;
    new.as_file().sync_all()?;
    new.persist(to.join(name)).map_err(|error| error.error)?;
    sync_folder(&folder)?;
    Ok(true)
}

/// Writes on, and adds up what it writes.
struct WholeSum<W> {
    inner: W,
    sum: Sha256,
}

impl<W> WholeSum<W> {
    /// Whether a file with this name has what was written.
    fn is_of(&self, name: &str) -> bool {
        let sha256: [u8; 32] = self.sum.clone().finalize().into();
        Path::new(name).file_name().is_some_and(|name| name == file_name(&sha256).as_str())
    }
}

impl<W: io::Write> io::Write for WholeSum<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::Folder;

    #[test]
    fn a_folder_that_was_removed_is_named() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("events");
        let folder = Folder::open(&path, "owner").unwrap();
        std::fs::remove_dir_all(&path).unwrap();

        let told = folder.try_lock().unwrap_err().to_string();

        assert!(told.contains(path.to_str().unwrap()), "{told}");
    }
}
