//! Whether there is room for more events. Events come without end, so they stop first: what is left of the disk is for sign-ins and publications,
//! and for files into which the events move that are there.

use std::sync::atomic::{AtomicU64, Ordering};

/// As much of a disk stays free of events: the log of SQLite's next commits, and a file while it is written.
pub const FREE_BYTES_AT_LEAST: u64 = 128 * 1024 * 1024;

/// Whether there is room, as far as was looked.
#[derive(Debug)]
pub struct EventRoom {
    free_bytes: AtomicU64,
}

impl Default for EventRoom {
    /// Until the server has looked, there is room.
    fn default() -> Self {
        Self { free_bytes: AtomicU64::new(u64::MAX) }
    }
}

impl EventRoom {
    /// Keeps in mind how many bytes are free where events are kept; returns whether that changes what becomes of events.
    pub fn look(&self, free_bytes: u64) -> bool {
        let before = self.free_bytes.swap(free_bytes, Ordering::Relaxed);
        takes_events(before) != takes_events(free_bytes)
    }

    /// Whether events are taken.
    #[must_use]
    pub fn is_there(&self) -> bool {
        takes_events(self.free_bytes.load(Ordering::Relaxed))
    }

    /// Whether so many bytes can be written for a while, and events are still taken.
    #[must_use]
    pub fn has_beside_events(&self, bytes: u64) -> bool {
        let free_bytes = self.free_bytes.load(Ordering::Relaxed);
        takes_events(free_bytes.saturating_sub(bytes))
    }
}

fn takes_events(free_bytes: u64) -> bool {
    free_bytes >= FREE_BYTES_AT_LEAST
}

#[cfg(test)]
mod tests {
    use super::{EventRoom, FREE_BYTES_AT_LEAST};

    #[test]
    fn writes_beside_events_leave_room_for_events() {
        let room = EventRoom::default();
        assert!(room.has_beside_events(1 << 40), "the disk has not been looked at");

        let is_told = room.look(FREE_BYTES_AT_LEAST + 10);

        assert!(!is_told && room.is_there());
        assert!(room.has_beside_events(10) && !room.has_beside_events(11));
        assert!(room.look(FREE_BYTES_AT_LEAST - 1) && !room.is_there());
    }
}
