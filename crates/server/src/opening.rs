//! Opens the database that a command names, and tells clearly when that is impossible.

mod cure;

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, fchown};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{Access, AtFlags, CWD, OFlags, accessat};
use rustix::process::geteuid;
use secrecy::SecretString;
use storage::{
    AuditKeeping, DatabaseFile, FoundSchema, OpenError, PostgresStore, SqliteStore, Store,
};

use crate::data_place::{DataPlace, Database};
use crate::failure::Failure;
use crate::project_file;

pub(crate) use cure::{DAMAGED, WRITABLE_DISK};

/// The default directory of the database.
const DEFAULT_DIRECTORY: &str = "assay-data";

/// Appended to the name of a database: the file that its serving process locks. One process must not open the database itself twice.
const SERVING_SUFFIX: &str = "-serving";

/// The database's name within its directory.
const DATABASE_FILE: &str = "assay.db";

const AS_THE_OWNER: &str =
    "run this as the user who runs `assay serve`, to whom the folder belongs";

/// No link in the place of a file that is marked is followed.
const NO_LINK: i32 = OFlags::NOFOLLOW.bits().cast_signed();

const AS_THE_OWNER_OF_ALL: &str = "run this as the user who runs `assay serve`, and `chown` the folder with all files in it to that user: a start as another one, such as root, may have made some";

const ONE_AT_A_TIME: &str = "one process serves a SQLite file; several share a PostgreSQL database (--database postgres://…)";

/// The folder of events within it.
const EVENT_FOLDER: &str = "events";

/// A database that is open to be served.
pub(crate) struct OpenDatabase {
    pub(crate) store: Arc<dyn Store>,
    /// The file that was opened, if it is one.
    pub(crate) file: Option<Arc<DatabaseFile>>,
}

/// Opens the database at `place` to serve it, creating it if it is missing. Audit entries older than the limit are deleted.
pub(crate) async fn open_or_create(
    place: &DataPlace,
    audit: AuditKeeping,
) -> Result<OpenDatabase, Failure> {
    let path = match at(place) {
        DatabaseLocation::Server(address) => {
            let store = opened_on_server(PostgresStore::open_to_serve(address, audit).await)?;
            return Ok(OpenDatabase { store, file: None });
        }
        DatabaseLocation::File(path) => path,
    };
    create_directory_of(&path)?;
    let store = SqliteStore::open_to_serve(&path, audit);
    let store = store.map_err(|error| cannot_open(&path, &error))?;
    let file = Some(store.file());
    Ok(OpenDatabase { store: Arc::new(store), file })
}

/// Makes sure that no other process serves the same file, as long as what is returned is there. Two would not hear at once what the other
/// ends or publishes; on PostgreSQL they do. Commands may work on the file meanwhile: they wait until the server has heard of them.
pub(crate) fn be_alone(place: &DataPlace) -> Result<Option<File>, Failure> {
    let DatabaseLocation::File(path) = at(place) else { return Ok(None) };
    create_directory_of(&path)?;
    let mark = serving_mark(&path);
    let mut options = File::options();
    options.create(true).truncate(false).write(true).custom_flags(NO_LINK);
    let file = match options.open(&mark) {
        // Another user has started a server here: to lock the file, it is enough to read it.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            File::open(&mark).map_err(|_| error)
        }
        file => file,
    };
    if let Ok(file) = &file {
        give_to_owner_of(&path, file);
    }
    lock(&path, file, ONE_AT_A_TIME).map(Some)
}

/// The same for a command that replaces what is in the file. Nothing is made: a file that was never served has nothing to lock.
pub(crate) fn refuse_served(place: &DataPlace) -> Result<Option<File>, Failure> {
    let DatabaseLocation::File(path) = at(place) else { return Ok(None) };
    match File::open(serving_mark(&path)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        file => lock(&path, file, "stop it first").map(Some),
    }
}

/// A server that root has started once is no obstacle to that of the database's owner.
fn give_to_owner_of(path: &Path, mark: &File) {
    // Who may write to the folder must not get another file of root's by a link to it.
    let is_alone = mark.metadata().is_ok_and(|found| found.is_file() && found.nlink() == 1);
    if !geteuid().is_root() || !is_alone {
        return;
    }
    let there = path.metadata().or_else(|_| project_file::folder(path).metadata());
    if let Ok(database) = there {
        // Where a disk knows no owners, nothing is in the way either.
        let _is_given = fchown(mark, Some(database.uid()), Some(database.gid()));
    }
}

/// The file that the serving process of a database locks. The database may have several names.
pub(crate) fn serving_mark(path: &Path) -> PathBuf {
    let file = if path.is_symlink() { fs::canonicalize(path).ok() } else { None };
    let mut name = file.unwrap_or_else(|| path.to_owned()).into_os_string();
    name.push(SERVING_SUFFIX);
    PathBuf::from(name)
}

fn lock(path: &Path, mark: io::Result<File>, hint: &str) -> Result<File, Failure> {
    let shown = path.display();
    let cannot = |error: io::Error| {
        let is_denied = error.kind() == ErrorKind::PermissionDenied;
        let failure = Failure::environment(format_args!(
            "cannot mark database `{shown}` as served: `{shown}{SERVING_SUFFIX}`: {error}"
        ));
        if is_denied { failure.with_hint(AS_THE_OWNER_OF_ALL) } else { failure }
    };
    let file = mark.map_err(cannot)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let told = format_args!("another process serves the database `{shown}`");
            Err(Failure::environment(told).with_hint(hint))
        }
        Err(TryLockError::Error(error)) => Err(cannot(error)),
    }
}

/// What becomes of a database that an earlier Assay made when a command opens it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OlderSchema {
    /// It stays as it is: the server of that Assay may be running, and would not start again on a database that is migrated.
    Refused,
    /// It is migrated, as `assay serve` would.
    Migrated,
}

/// Opens the database at `place`, which must exist: a mistyped path must not create an empty one.
pub(crate) async fn open_existing(
    place: &DataPlace,
    older: OlderSchema,
) -> Result<Arc<dyn Store>, Failure> {
    if older == OlderSchema::Refused
        && let Some(FoundSchema::Older { found, known }) = schema_at(place).await?
    {
        return Err(Failure::environment(format_args!(
            "the database is at schema {found}, and this assay knows {known}: a server of an earlier Assay may be running on it\n  \
             hint: start `assay serve` of this version first, which migrates the database, after an `assay backup`; or use the earlier assay"
        )));
    }
    match at(place) {
        DatabaseLocation::Server(address) => opened_on_server(PostgresStore::open(address).await),
        DatabaseLocation::File(path) if is_there(&path)? => {
            opened_file(&path, SqliteStore::open(&path))
        }
        DatabaseLocation::File(path) => Err(missing(&path)),
    }
}

/// The schema of the database at `place`, which stays as it is. `None` if there is no such file.
pub(crate) fn find_schema(place: &DataPlace) -> Result<Option<FoundSchema>, Failure> {
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::environment)?;
    runtime.block_on(schema_at(place))
}

/// Makes sure that servers on the database hear one another, as they do not through a pooler that keeps no sessions.
pub(crate) fn check_sessions(place: &DataPlace) -> Result<(), Failure> {
    let DatabaseLocation::Server(address) = at(place) else { return Ok(()) };
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::environment)?;
    let checked = runtime.block_on(PostgresStore::check_sessions(address));
    checked.map_err(|error| cannot_open_on_server(&error))
}

/// Makes sure that a server may do in the database at `place`, of which this schema was found, what it has to do at its start.
pub(crate) fn check_rights(place: &DataPlace, schema: FoundSchema) -> Result<(), Failure> {
    let DatabaseLocation::Server(address) = at(place) else { return Ok(()) };
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::environment)?;
    let checked = runtime.block_on(PostgresStore::check_rights(address, schema));
    checked.map_err(|error| cannot_open_on_server(&error))
}

async fn schema_at(place: &DataPlace) -> Result<Option<FoundSchema>, Failure> {
    let found = match at(place) {
        DatabaseLocation::File(path) if !is_there(&path)? => return Ok(None),
        DatabaseLocation::File(path) => {
            SqliteStore::find_schema(&path).map_err(|error| cannot_open(&path, &error))
        }
        DatabaseLocation::Server(address) => {
            let found = PostgresStore::find_schema(address).await;
            found.map_err(|error| cannot_open_on_server(&error))
        }
    };
    found.map(Some)
}

/// Whether there is no database at `place` yet, so that a server would make it.
pub(crate) async fn is_new(place: &DataPlace) -> Result<bool, Failure> {
    Ok(match schema_at(place).await? {
        None | Some(FoundSchema::Empty) => true,
        Some(FoundSchema::Older { .. } | FoundSchema::Current) => false,
    })
}

/// Whether there is a database. A user who may not look into its folder is told so, and not that there is none.
pub(crate) fn is_there(path: &Path) -> Result<bool, Failure> {
    path.try_exists().map_err(|error| {
        let shown = path.display();
        let failure = Failure::environment(format_args!("cannot look at `{shown}`: {error}"));
        let is_denied = error.kind() == ErrorKind::PermissionDenied;
        if is_denied { failure.with_hint(AS_THE_OWNER) } else { failure }
    })
}

/// There is no database at the named place.
pub(crate) fn missing(path: &Path) -> Failure {
    Failure::environment(format_args!(
        "no database at `{}`\n  hint: `assay serve` creates it; --data or --database names another one",
        path.display()
    ))
}

fn opened_file(
    path: &Path,
    store: Result<SqliteStore, OpenError>,
) -> Result<Arc<dyn Store>, Failure> {
    Ok(Arc::new(store.map_err(|error| cannot_open(path, &error))?))
}

fn opened_on_server(store: Result<PostgresStore, OpenError>) -> Result<Arc<dyn Store>, Failure> {
    Ok(Arc::new(store.map_err(|error| cannot_open_on_server(&error))?))
}

fn cannot_open(path: &Path, error: &OpenError) -> Failure {
    let told = format_args!("cannot open database `{}`: {error}", path.display());
    let failure = Failure::environment(told);
    match cure_of_access(path) {
        Some(cure) => failure.with_hint(&cure),
        None => with_cure(failure, error),
    }
}

/// What to do about a file that is there, and that this user may not read and write; `None` if that is allowed.
pub(crate) fn cure_of_access(file: &Path) -> Option<String> {
    let refused =
        accessat(CWD, file, Access::READ_OK | Access::WRITE_OK, AtFlags::EACCESS).err()?;
    let (metadata, shown) = (file.metadata().ok()?, file.display());
    if io::Error::from(refused).kind() == ErrorKind::ReadOnlyFilesystem {
        return Some(WRITABLE_DISK.to_owned());
    }
    if metadata.uid() == geteuid().as_raw() {
        return Some(format!("`chmod u+rw {shown}`"));
    }
    let folder = project_file::folder(file).display();
    Some(format!("`chown --reference={folder} {shown}`, if the folder is the server's"))
}

/// The message leaves the address out: the operator knows it, and it must not reach a log.
fn cannot_open_on_server(error: &OpenError) -> Failure {
    let told = format_args!("cannot open the PostgreSQL database: {error}");
    let failure = Failure::environment(told);
    if matches!(error, OpenError::Newer { .. }) {
        return failure.with_hint(cure::NEWER_ON_SERVER);
    }
    with_cure(failure, error)
}

fn with_cure(failure: Failure, error: &OpenError) -> Failure {
    match cure::of(error) {
        Some(cure) => failure.with_hint(cure),
        None => failure,
    }
}

/// The folder of events beside a file; a database on a server has nothing beside it that all of its processes share.
pub(crate) fn event_folder(place: &DataPlace) -> Option<PathBuf> {
    match at(place) {
        DatabaseLocation::File(path) => Some(path.with_file_name(EVENT_FOLDER)),
        DatabaseLocation::Server(_) => None,
    }
}

/// Where the database is.
pub(crate) enum DatabaseLocation<'a> {
    File(PathBuf),
    Server(&'a SecretString),
}

/// Leaves the database as one file, as people copy it. What cannot be moved stays beside it, where the next start finds it.
pub(crate) fn settle(file: &DatabaseFile) {
    let shown = file.path().display();
    match SqliteStore::settle(file) {
        Ok(true) => {}
        // The log tells already what became of it.
        Ok(false) if !file.is_in_place() => {}
        Ok(false) => tracing::warn!("`{shown}` keeps a log beside it: another program has it open"),
        Err(error) => tracing::warn!("`{shown}` keeps a log beside it: {error}"),
    }
}

/// The database named on the command line.
pub(crate) fn at(place: &DataPlace) -> DatabaseLocation<'_> {
    match (place.database(), &place.data) {
        (Some(Database::Postgres(address)), _) => DatabaseLocation::Server(address),
        (Some(Database::Sqlite(file)), _) => DatabaseLocation::File(file.clone()),
        (None, Some(directory)) => DatabaseLocation::File(directory.join(DATABASE_FILE)),
        (None, None) => DatabaseLocation::File(Path::new(DEFAULT_DIRECTORY).join(DATABASE_FILE)),
    }
}

/// Creates the directory of a new database, readable by its owner alone.
pub(crate) fn create_directory_of(path: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::DirBuilderExt as _;
    let Some(directory) = path.parent().filter(|directory| !directory.as_os_str().is_empty())
    else {
        return Ok(());
    };
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(|error| {
        let directory = directory.display();
        Failure::environment(format_args!("cannot create data directory `{directory}`: {error}"))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use app::audit::AUDIT_KEPT_FOR;
    use storage::AuditKeeping;

    use super::{open_or_create, settle};
    use crate::data_place::DataPlace;

    #[tokio::test]
    async fn what_is_settled_is_the_file_that_was_opened() {
        let folder = tempfile::tempdir().unwrap();
        let place = DataPlace { data: Some(folder.path().to_owned()), ..DataPlace::default() };
        let audit = AuditKeeping::of(AUDIT_KEPT_FOR);
        let here = folder.path().join("assay.db");
        drop(open_or_create(&place, audit).await.unwrap());
        let other = fs::read(&here).unwrap();
        let opened = open_or_create(&place, audit).await.unwrap();
        opened.store.is_writable().await.unwrap();

        fs::rename(&here, folder.path().join("moved.db")).unwrap();
        fs::write(&here, &other).unwrap();
        settle(&opened.file.unwrap());

        assert!(fs::read(&here).unwrap() == other);
    }
}
