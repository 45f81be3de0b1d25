//! Opens connections to the file. `schema.rs` has its schema.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::Duration;
use std::{io, thread};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::schema;
use crate::{OpenError, StorageError};

/// How long to wait for another process that writes to the same file.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Together as long as [`BUSY_TIMEOUT`].
const WAL_ATTEMPTS: u32 = 500;
const WAL_PAUSE: Duration = Duration::from_millis(10);

/// A quarter of a gigabyte.
const LOG_PAGES_AT_MOST: u32 = 65_536;

/// More statements than there are; none is ever prepared twice.
const STATEMENTS_CACHED: usize = 96;

/// The connection that writes.
pub(super) fn open_for_writing(path: &Path) -> Result<Connection, OpenError> {
    let mut connection = open_as_it_is(path)?;
    schema::migrate(&mut connection)?;
    Ok(connection)
}

/// The same, and the tables stay as they are.
pub(super) fn open_as_it_is(path: &Path) -> Result<Connection, OpenError> {
    create_if_missing(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    prepare(&connection)?;
    schema::check_owner(&connection)?;
    switch_to_wal(&connection)?;
    // `FULL`: commits are on disk, even if the machine loses its power.
    connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")?;
    // What a savepoint may have to take back stays in memory; otherwise the engine makes and deletes a file for it in a busy commit.
    connection.execute_batch("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192;")?;
    // What is deleted is overwritten with zeros: the events of a visitor who is forgotten, and what was moved into files before.
    connection.execute_batch("PRAGMA secure_delete = ON;")?;
    // `checkpoints.rs` keeps the log short; this is for when it cannot.
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES_AT_MOST)?;
    Ok(connection)
}

/// The engine would create the file readable by all users; its companions take over the mode. A file that is there is not opened:
/// closing it again would take away the locks that this process may have on it.
fn create_if_missing(path: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        created => created.map(drop),
    }
}

/// A connection that only moves commits from the log into the file.
pub(super) fn open_for_checkpoints(path: &Path) -> Result<Connection, OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    prepare(&connection)?;
    Ok(connection)
}

/// A connection that only reads.
pub(super) fn open_for_reading(path: &Path) -> Result<Connection, StorageError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    prepare(&connection)?;
    Ok(connection)
}

/// Lets readers go on while a process writes. While another process does the same to a new file, the engine refuses at once
/// instead of waiting as it does for everything else.
fn switch_to_wal(connection: &Connection) -> rusqlite::Result<()> {
    let switch = || connection.execute_batch("PRAGMA journal_mode = WAL");
    for _ in 0..WAL_ATTEMPTS {
        match switch() {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                thread::sleep(WAL_PAUSE);
            }
            switched => return switched,
        }
    }
    switch()
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS_CACHED);
    connection.busy_timeout(BUSY_TIMEOUT)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::{open_for_checkpoints, open_for_writing};

    /// How SQLite says `FULL`.
    const FULL: i64 = 2;

    fn pragma<T: rusqlite::types::FromSql>(connection: &Connection, name: &str) -> T {
        connection.pragma_query_value(None, name, |row| row.get(0)).unwrap()
    }

    #[test]
    fn what_is_deleted_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();

        let writing = open_for_writing(&folder.path().join("assay.db")).unwrap();

        assert_eq!(pragma::<i64>(&writing, "secure_delete"), 1);
    }

    #[test]
    fn commits_and_checkpoints_are_flushed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assay.db");

        let writing = open_for_writing(&path).unwrap();
        let checkpoints = open_for_checkpoints(&path).unwrap();

        for connection in [&writing, &checkpoints] {
            assert_eq!(pragma::<i64>(connection, "synchronous"), FULL);
            assert_eq!(pragma::<String>(connection, "journal_mode"), "wal");
        }
    }
}
