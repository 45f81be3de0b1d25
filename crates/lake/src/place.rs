//! Where a file lies: in folders named by Hive's convention, which other tools read as columns.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use events::Day;
use jiff::Span;
use jiff::civil::Date;

/// Readers of folders skip what begins with a dot.
pub(crate) const UNFINISHED: &str = ".writing-";

/// For those who may read the database, wherever the folder is.
pub const FOLDER_MODE: u32 = 0o750;

/// The folder of a day, under that of all files.
pub(crate) fn folder_of(project: &str, day: Day) -> io::Result<PathBuf> {
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || character == '-' || character == '_';
    if project.is_empty() || !project.chars().all(is_plain) {
        return Err(invalid("the project's id is not the name of a folder"));
    }
    let day = date(day).ok_or_else(|| invalid("the day is in no calendar"))?;
    Ok([format!("project={project}"), format!("day={day}")].iter().collect())
}

fn date(day: Day) -> Option<Date> {
    jiff::civil::date(1970, 1, 1).checked_add(Span::new().try_days(day.0).ok()?).ok()
}

/// Makes the folder, so that it is still there after a crash.
pub(crate) fn make(root: &Path, folder: &Path) -> io::Result<PathBuf> {
    let whole = root.join(folder);
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(&whole)?;
    let parents = folder.ancestors().skip(1).map(|parent| root.join(parent));
    for parent in parents {
        sync_folder(&parent)?;
    }
    Ok(whole)
}

/// After this, the names of its files are on the disk.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(|error| named(folder, &error))
}

/// The error with the path that it is about, which the system leaves out.
pub(crate) fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("`{}`: {error}", path.display()))
}

pub(crate) fn invalid(detail: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, detail)
}
