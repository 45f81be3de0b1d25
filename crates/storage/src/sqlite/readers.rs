//! Connections that read, a few at a time, away from the async threads.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::connection::open_for_reading;
use crate::StorageError;

/// Reads take microseconds; more at once would only compete for the same cores.
const READING_AT_MOST: usize = 8;

/// How many read or wait: some tens of milliseconds' worth. Whoever comes then is told at once.
const WAITING_AT_MOST: usize = 4_096;

pub(super) struct Readers {
    path: Arc<PathBuf>,
    idle: Arc<Mutex<Vec<Connection>>>,
    admitted: Semaphore,
    reading: Arc<Semaphore>,
}

impl Readers {
    /// Opens nothing yet: connections are opened when they are needed, and kept.
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path: Arc::new(path),
            idle: Arc::default(),
            admitted: Semaphore::new(WAITING_AT_MOST),
            reading: Arc::new(Semaphore::new(READING_AT_MOST)),
        }
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, StorageError> {
        let _admission = self.admitted.try_acquire().map_err(|_| StorageError::Busy)?;
        let permit = Arc::clone(&self.reading).acquire_owned().await;
        let permit = permit.expect("the semaphore is never closed");
        let (path, idle) = (Arc::clone(&self.path), Arc::clone(&self.idle));
        let reading = tokio::task::spawn_blocking(move || {
            // Who asked may go away; the permit stays with the work.
            let _permit = permit;
            let kept = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let connection = kept.map_or_else(|| open_for_reading(&path), Ok)?;
            let read = work(&connection);
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            read
        });
        reading.await.unwrap_or_else(|panic| Err(StorageError::Unavailable(panic.to_string())))
    }
}
