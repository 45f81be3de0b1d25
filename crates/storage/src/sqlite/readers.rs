//! Connections that read: a few at a time, away from the async threads, but for what is read faster than handed over.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::connection::open_for_reading;
use super::database_file::DatabaseFile;
use crate::{DatabaseLoad, StorageError, traced};

/// Reads take microseconds; more at once would only compete for the same cores.
const READING_AT_MOST: usize = 8;

/// How many read or wait: some tens of milliseconds' worth. A request that comes then is refused at once.
const WAITING_AT_MOST: usize = 4_096;

pub(super) struct Readers {
    connections: Connections,
    admitted: Semaphore,
    reading: Arc<Semaphore>,
}

impl Readers {
    /// Opens no connection yet: they are opened on demand, and kept.
    pub(super) fn new(file: Arc<DatabaseFile>) -> Self {
        Self {
            connections: Connections { file, idle: Arc::default() },
            admitted: Semaphore::new(WAITING_AT_MOST),
            reading: Arc::new(Semaphore::new(READING_AT_MOST)),
        }
    }

    /// The file.
    pub(super) fn file(&self) -> &Arc<DatabaseFile> {
        &self.connections.file
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, StorageError> {
        traced::within(traced::of_sqlite(&work), self.read_in_turn(work)).await
    }

    async fn read_in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, StorageError> {
        let _admission = self.admitted.try_acquire().map_err(|_| StorageError::Busy)?;
        let permit = Arc::clone(&self.reading).acquire_owned().await;
        let permit = permit.expect("the semaphore is never closed");
        let connections = self.connections.clone();
        let reading = tokio::task::spawn_blocking(move || {
            // Who asked may go away; the permit stays with the work.
            let _permit = permit;
            connections.lend(work)
        });
        reading.await.unwrap_or_else(|panic| Err(StorageError::Unavailable(panic.to_string())))
    }

    pub(super) fn load(&self) -> DatabaseLoad {
        let in_use = READING_AT_MOST.saturating_sub(self.reading.available_permits());
        let admitted = WAITING_AT_MOST.saturating_sub(self.admitted.available_permits());
        let waiting = admitted.saturating_sub(in_use);
        DatabaseLoad { in_use, at_most: READING_AT_MOST, waiting }
    }

    /// For a few rows of a small table that is in memory because it is read all the time: on this very thread. To hand such a read to
    /// another takes several times as long as it does.
    pub(super) fn read_at_once<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        self.connections.lend(work)
    }
}

/// Those that are idle, and where there are more.
#[derive(Clone)]
struct Connections {
    file: Arc<DatabaseFile>,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl Connections {
    fn lend<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = kept.map_or_else(|| self.open(), Ok)?;
        let read = work(&connection);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        read
    }
    /// Those that are open go on with the first file; another one would be read with the log of the first.
    fn open(&self) -> Result<Connection, StorageError> {
        self.file.require_in_place(1)?;
        open_for_reading(self.file.path())
    }
}
