//! Opens the database that a command names, and tells clearly when that is impossible.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use storage::SqliteStore;

use crate::cli::DataPlace;
use crate::failure::Failure;

/// The directory that holds the database if nothing else is said.
const DEFAULT_DIRECTORY: &str = "assay-data";

/// The database's name within its directory.
const DATABASE_FILE: &str = "assay.db";

/// Opens the database at `place`, creating it if it is not there.
pub(crate) fn open_or_create(place: &DataPlace) -> Result<Arc<SqliteStore>, Failure> {
    let path = path(place);
    if let Some(directory) = path.parent().filter(|directory| !directory.as_os_str().is_empty()) {
        create_directory(directory).map_err(|error| {
            let directory = directory.display();
            Failure::environment(format_args!(
                "cannot create data directory `{directory}`: {error}"
            ))
        })?;
    }
    open(&path)
}

/// Opens the database at `place`, which must be there: a mistyped path shall not make an empty one.
pub(crate) fn open_existing(place: &DataPlace) -> Result<Arc<SqliteStore>, Failure> {
    let path = path(place);
    if !path.exists() {
        let path = path.display();
        return Err(Failure::environment(format_args!(
            "no database at `{path}`\n  hint: `assay serve` creates it; --data or --database names another place"
        )));
    }
    open(&path)
}

fn open(path: &Path) -> Result<Arc<SqliteStore>, Failure> {
    SqliteStore::open(path).map(Arc::new).map_err(|error| {
        Failure::environment(format_args!("cannot open database `{}`: {error}", path.display()))
    })
}

fn path(place: &DataPlace) -> PathBuf {
    match (&place.database, &place.data) {
        (Some(file), _) => file.clone(),
        (None, Some(directory)) => directory.join(DATABASE_FILE),
        (None, None) => Path::new(DEFAULT_DIRECTORY).join(DATABASE_FILE),
    }
}

/// The data is its owner's business alone.
fn create_directory(directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)
}
