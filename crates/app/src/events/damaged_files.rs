//! Files that are damaged: nothing waits for them, and they are tried again after a while, as an operator may bring back a copy.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use oauth::Timestamp;
use storage::EventFile;

/// After it, a file is tried again.
const LEFT_ALONE_MS: i64 = 3_600_000;

/// The names of files, each with the time until which it is left alone.
#[derive(Debug, Default)]
pub(crate) struct DamagedFiles(Mutex<HashMap<String, Timestamp>>);

impl DamagedFiles {
    pub(super) fn add(&self, name: &str, now: Timestamp) {
        let until = now.as_milliseconds().saturating_add(LEFT_ALONE_MS);
        self.locked().insert(name.to_owned(), Timestamp::from_milliseconds(until));
    }

    /// Takes these files away from others.
    pub(super) fn remove_from(&self, files: &mut Vec<EventFile>, now: Timestamp) {
        let mut damaged = self.locked();
        damaged.retain(|_, until| *until > now);
        files.retain(|file| !damaged.contains_key(&file.name));
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, HashMap<String, Timestamp>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
