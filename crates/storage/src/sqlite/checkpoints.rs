//! Moves commits from the log into the file, while the writer goes on.
//!
//! Left to the engine, the commit that finds the log long does this, and every request waits for it: some hundred milliseconds in a large
//! file. Here another thread does it while commits go on. What these have added meanwhile is little; the writer moves that itself, because
//! the log restarts only when it is empty.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use rusqlite::Connection;

use super::connection::open_for_checkpoints;
use super::database_file::DatabaseFile;
use crate::{OpenError, StorageError};

/// Some ten megabytes of log, if the commits are as large as they get.
const COMMITS_BETWEEN: u32 = 64;

/// How long erasing waits for those who read, such as a backup.
const ERASING_AT_MOST: Duration = Duration::from_secs(2);

/// A file that is moved, removed or replaced may go unnoticed for so long while nothing is written.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The writer's side.
pub(super) struct Checkpoints {
    wake: SyncSender<()>,
    file: Arc<DatabaseFile>,
    is_nearly_done: Arc<AtomicBool>,
    failed: Arc<AtomicU64>,
    commits: u32,
}

impl Checkpoints {
    /// Starts the thread, with a connection of its own. It ends when this is dropped.
    pub(super) fn start(
        connection: Connection,
        file: Arc<DatabaseFile>,
    ) -> Result<Self, OpenError> {
        let (wake, woken) = sync_channel(1);
        let is_nearly_done = Arc::new(AtomicBool::new(false));
        let failed = Arc::new(AtomicU64::new(0));
        let mut thread = CheckpointThread {
            connection,
            file: Arc::clone(&file),
            is_nearly_done: Arc::clone(&is_nearly_done),
            failed: Arc::clone(&failed),
            is_settled: false,
        };
        thread::Builder::new()
            .name("storage-checkpoints".to_owned())
            .spawn(move || thread.run(&woken))?;
        Ok(Self { wake, file, is_nearly_done, failed, commits: 0 })
    }

    /// How many have failed.
    pub(super) fn failed(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.failed)
    }

    /// Makes sure that what is written now is in the file that a restart would open.
    pub(super) fn require_file(&self, operations: usize) -> Result<(), StorageError> {
        self.file.require_in_place(operations)
    }

    /// To be called after each commit, when it has been answered.
    pub(super) fn after_commit(&mut self, writer: &Connection) {
        self.commits += 1;
        if self.is_nearly_done.swap(false, Ordering::AcqRel) {
            move_into_file(writer, &self.failed);
        } else if self.commits >= COMMITS_BETWEEN {
            self.commits = 0;
            // A thread that has not come to the last one yet is not asked twice.
            let _still_busy = self.wake.try_send(());
        }
    }
}

/// The other side.
struct CheckpointThread {
    connection: Connection,
    file: Arc<DatabaseFile>,
    is_nearly_done: Arc<AtomicBool>,
    failed: Arc<AtomicU64>,
    /// Whether the file is gone, and has all of its log.
    is_settled: bool,
}

impl CheckpointThread {
    fn run(&mut self, woken: &Receiver<()>) {
        loop {
            match woken.recv_timeout(LOOK_EVERY) {
                Ok(()) => {
                    move_into_file(&self.connection, &self.failed);
                    self.is_nearly_done.store(true, Ordering::Release);
                }
                Err(RecvTimeoutError::Timeout) => self.look(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// A file that is gone gets its log, which stays in the folder: to the next process, it would be that of a file in the same place.
    fn look(&mut self) {
        if self.file.require_in_place(0).is_ok() {
            self.is_settled = false;
        } else if !self.is_settled {
            self.is_settled = settle(&self.connection).unwrap_or(false);
        }
    }
}

/// All of the log, where nothing is read or written any more, so that who copies the file alone has everything.
/// The engine tells by the first column whether another connection was in the way.
pub(super) fn settle(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row(
        "PRAGMA wal_checkpoint(TRUNCATE)",
        [],
        |row| Ok(row.get::<_, i64>(0)? == 0),
    )
}

/// Takes what was deleted out of the log as well, whose old pages have it until they are written over. Whether no connection was in the way.
pub(super) fn erase(path: &Path) -> Result<bool, OpenError> {
    let connection = open_for_checkpoints(path)?;
    // Who writes waits meanwhile, and would be refused after `BUSY_TIMEOUT`.
    connection.busy_timeout(ERASING_AT_MOST)?;
    Ok(settle(&connection)?)
}

/// As much as no reader needs any more. What stays, or fails, is for the next time: it is safe in the log.
fn move_into_file(connection: &Connection, failed: &AtomicU64) {
    let moved = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
    if let Err(error) = moved {
        failed.fetch_add(1, Ordering::Relaxed);
        tracing::warn!("the log could not be moved into the file: {error}");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::move_into_file;
    use crate::sqlite::connection::{open_for_checkpoints, open_for_reading, open_for_writing};

    #[test]
    fn a_log_that_cannot_be_moved_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assay.db");
        let _writing = open_for_writing(&path).unwrap();
        let failed = AtomicU64::new(0);

        move_into_file(&open_for_reading(&path).unwrap(), &failed);
        move_into_file(&open_for_checkpoints(&path).unwrap(), &failed);

        assert_eq!(failed.into_inner(), 1);
    }
}
