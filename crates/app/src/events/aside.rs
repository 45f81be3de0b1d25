//! Files that are damaged: nothing waits for them, and they are tried again after a while, as somebody may bring back a copy.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use oauth::Timestamp;
use storage::EventFile;

/// After it, a file is tried again.
const ASIDE_MS: i64 = 3_600_000;

/// The names of files, each with the time until which it is left alone.
#[derive(Debug, Default)]
pub(crate) struct SetAside(Mutex<HashMap<String, Timestamp>>);

impl SetAside {
    pub(super) fn add(&self, name: &str, now: Timestamp) {
        let until = now.as_milliseconds().saturating_add(ASIDE_MS);
        self.locked().insert(name.to_owned(), Timestamp::from_milliseconds(until));
    }

    /// Takes these files away from others.
    pub(super) fn remove_from(&self, files: &mut Vec<EventFile>, now: Timestamp) {
        let mut aside = self.locked();
        aside.retain(|_, until| *until > now);
        files.retain(|file| !aside.contains_key(&file.name));
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, HashMap<String, Timestamp>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
