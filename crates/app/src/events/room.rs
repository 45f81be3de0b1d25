//! Whether there is room for more events. Events come without end, so they stop first: what is left of the disk is for sign-ins and publications,
//! and for files into which the events move that are there.

use std::sync::atomic::{AtomicBool, Ordering};

/// As much of a disk stays free of events: the log of SQLite's next commits, and a file while it is written.
pub const FREE_BYTES_AT_LEAST: u64 = 128 * 1024 * 1024;

/// Whether there is room, as far as was looked.
#[derive(Debug, Default)]
pub struct EventRoom {
    is_full: AtomicBool,
}

impl EventRoom {
    /// Keeps in mind how many bytes are free where events are kept; returns whether that changes what becomes of events.
    pub fn look(&self, free_bytes: u64) -> bool {
        let is_full = free_bytes < FREE_BYTES_AT_LEAST;
        self.is_full.swap(is_full, Ordering::Relaxed) != is_full
    }

    /// Whether events are taken.
    #[must_use]
    pub fn is_there(&self) -> bool {
        !self.is_full.load(Ordering::Relaxed)
    }
}
