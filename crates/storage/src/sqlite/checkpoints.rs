//! Moves commits from the log into the file, while the writer goes on.
//!
//! Left to the engine, the commit that finds the log long does this, and every request waits for it: some hundred milliseconds in a large
//! file. Here another thread does it while commits go on. What these have added meanwhile is little; the writer moves that itself, because
//! the log restarts only when it is empty.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use rusqlite::Connection;

use super::connection::open_for_checkpoints;
use crate::OpenError;

/// Some ten megabytes of log, if the commits are as large as they get.
const COMMITS_BETWEEN: u32 = 64;

/// How long erasing waits for those who read, such as a backup.
const ERASING_AT_MOST: Duration = Duration::from_secs(2);

/// The writer's side.
pub(super) struct Checkpoints {
    wake: SyncSender<()>,
    is_nearly_done: Arc<AtomicBool>,
    commits: u32,
}

impl Checkpoints {
    /// Starts the thread, with a connection of its own. It ends when this is dropped.
    pub(super) fn start(connection: Connection) -> Result<Self, OpenError> {
        let (wake, woken) = sync_channel(1);
        let is_nearly_done = Arc::new(AtomicBool::new(false));
        let tell = Arc::clone(&is_nearly_done);
        thread::Builder::new()
            .name("storage-checkpoints".to_owned())
            .spawn(move || run(&connection, &woken, &tell))?;
        Ok(Self { wake, is_nearly_done, commits: 0 })
    }

    /// To be called after each commit, when it has been answered.
    pub(super) fn after_commit(&mut self, writer: &Connection) {
        self.commits += 1;
        if self.is_nearly_done.swap(false, Ordering::AcqRel) {
            move_into_file(writer);
        } else if self.commits >= COMMITS_BETWEEN {
            self.commits = 0;
            // A thread that has not come to the last one yet is not asked twice.
            let _still_busy = self.wake.try_send(());
        }
    }
}

fn run(connection: &Connection, woken: &Receiver<()>, is_nearly_done: &AtomicBool) {
    while woken.recv().is_ok() {
        move_into_file(connection);
        is_nearly_done.store(true, Ordering::Release);
    }
}

/// All of the log, where nothing is read or written any more, so that who copies the file alone has everything.
/// The engine tells by the first column whether somebody was in the way.
pub(super) fn settle(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row(
        "PRAGMA wal_checkpoint(TRUNCATE)",
        [],
        |row| Ok(row.get::<_, i64>(0)? == 0),
    )
}

/// Takes what was deleted out of the log as well, whose old pages have it until they are written over. Whether nobody was in the way.
pub(super) fn erase(path: &Path) -> Result<bool, OpenError> {
    let connection = open_for_checkpoints(path)?;
    // Who writes waits meanwhile, and would be refused after `BUSY_TIMEOUT`.
    connection.busy_timeout(ERASING_AT_MOST)?;
    Ok(settle(&connection)?)
}

/// As much as no reader needs any more. What stays, or fails, is for the next time: it is safe in the log.
fn move_into_file(connection: &Connection) {
    let moved = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
    if let Err(error) = moved {
        tracing::warn!("the log could not be moved into the file: {error}");
    }
}
