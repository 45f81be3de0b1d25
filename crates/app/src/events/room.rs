//! Whether there is room for more events. Events come without end, so they stop first: what is left of the disk is for sign-ins and publications,
//! and for files into which the events move that are there. What is written between two looks at the disk is counted, however fast it comes.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// As much of a disk stays free of events: the log of SQLite's next commits, and a file while it is written.
pub const FREE_BYTES_AT_LEAST: u64 = 128 * 1024 * 1024;

/// As much stays free of files into which events move: a database does not shrink by that, and sign-ins go on.
const FREE_BYTES_BESIDE_FILES: u64 = 32 * 1024 * 1024;

/// What is written is in SQLite's log first, and then in the database as well. What moves is in a file, and in the log as zeros.
const WRITTEN_TIMES: u64 = 2;

/// Pages of the database that a commit writes beside.
const BYTES_OF_A_COMMIT: u64 = 16 * 1024;

/// Whether there is room, as far as was looked and counted.
#[derive(Debug)]
pub struct EventRoom(Mutex<Room>);

#[derive(Debug)]
struct Room {
    /// What was free at the last look.
    free_bytes: u64,
    /// Whether events were taken after it.
    was_there: bool,
    /// What has been written since the process started,
    written: u64,
    /// what of it before the last look began,
    seen: u64,
    /// and what is being written.
    begun: u64,
}

/// What is being written of events, until dropped.
#[derive(Debug)]
pub struct RoomShare<'a> {
    room: &'a EventRoom,
    bytes: u64,
}

impl Default for EventRoom {
    /// Until the server has looked, there is room.
    fn default() -> Self {
        let room = Room { free_bytes: u64::MAX, was_there: true, written: 0, seen: 0, begun: 0 };
        Self(Mutex::new(room))
    }
}

impl EventRoom {
    /// Keeps in mind how many bytes are free where events are kept; returns whether that changes what becomes of events.
    pub fn look(&self, free_bytes: u64) -> bool {
        self.look_since(self.written(), free_bytes)
    }

    /// What has been written so far: to be asked before a look at the disk, which may take its time.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.lock().written
    }

    /// The same as [`Self::look`], by a look that began when this was written.
    pub fn look_since(&self, written: u64, free_bytes: u64) -> bool {
        let mut room = self.lock();
        (room.free_bytes, room.seen) = (free_bytes, written);
        let is_there = takes_events(room.left());
        std::mem::replace(&mut room.was_there, is_there) != is_there
    }

    /// After a look that saw nothing, as the folder is away: what was free before counts on, and what was written until this one began does not.
    pub fn look_in_vain(&self, written: u64) {
        self.lock().seen = written;
    }

    /// Whether events are taken.
    #[must_use]
    pub fn is_there(&self) -> bool {
        takes_events(self.lock().left())
    }

    /// Whether so many bytes can be written for a while, and events are still taken.
    #[must_use]
    pub fn has_beside_events(&self, bytes: u64) -> bool {
        takes_events(self.lock().left().saturating_sub(bytes))
    }

    /// Room to write so many bytes of new events, unless too little would be left.
    #[must_use]
    pub fn take(&self, bytes: u64) -> Option<RoomShare<'_>> {
        self.share(bytes, FREE_BYTES_AT_LEAST)
    }

    /// Room to move so many bytes of events into files, which may take of what is kept free of new ones.
    #[must_use]
    pub fn take_for_files(&self, bytes: u64) -> Option<RoomShare<'_>> {
        self.share(bytes, FREE_BYTES_BESIDE_FILES)
    }

    fn share(&self, bytes: u64, free_bytes_at_least: u64) -> Option<RoomShare<'_>> {
        let bytes = bytes.saturating_mul(WRITTEN_TIMES).saturating_add(BYTES_OF_A_COMMIT);
        let mut room = self.lock();
        if room.left().saturating_sub(bytes) < free_bytes_at_least {
            return None;
        }
        room.begun += bytes;
        Some(RoomShare { room: self, bytes })
    }

    fn lock(&self) -> MutexGuard<'_, Room> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RoomShare<'_> {
    /// Also what could not be written may have taken room; the next look tells.
    fn drop(&mut self) {
        let mut room = self.room.lock();
        room.begun -= self.bytes;
        room.written += self.bytes;
    }
}

impl Room {
    fn left(&self) -> u64 {
        self.free_bytes.saturating_sub(self.written - self.seen).saturating_sub(self.begun)
    }
}

fn takes_events(free_bytes: u64) -> bool {
    free_bytes >= FREE_BYTES_AT_LEAST
}

#[cfg(test)]
mod tests {
    use super::{EventRoom, FREE_BYTES_AT_LEAST, FREE_BYTES_BESIDE_FILES};

    const MIB: u64 = 1024 * 1024;

    #[test]
    fn writes_beside_events_leave_room_for_events() {
        let room = EventRoom::default();
        assert!(room.has_beside_events(1 << 40), "the disk has not been looked at");

        let is_told = room.look(FREE_BYTES_AT_LEAST + 10);

        assert!(!is_told && room.is_there());
        assert!(room.has_beside_events(10) && !room.has_beside_events(11));
        assert!(room.look(FREE_BYTES_AT_LEAST - 1) && !room.is_there());
    }

    #[test]
    fn what_is_written_between_two_looks_leaves_what_stays_free() {
        let room = EventRoom::default();
        let mut disk = FREE_BYTES_AT_LEAST + 100 * MIB;
        room.look(disk);

        // A batch is in the log and in the database.
        while let Some(_written) = room.take(MIB) {
            disk -= 2 * MIB;
        }

        assert!((FREE_BYTES_AT_LEAST..FREE_BYTES_AT_LEAST + 4 * MIB).contains(&disk), "{disk}");
        assert!(room.has_beside_events(0), "a smaller batch still fits");
        assert!(!room.look(disk), "nothing changes");
        assert!(room.take(MIB).is_none());
        assert!(!room.look(disk + 100 * MIB) && room.take(MIB).is_some());
    }

    #[test]
    fn what_is_being_written_while_somebody_looks_counts_after_the_look() {
        let room = EventRoom::default();
        let looked = room.written();
        let slow = room.take(10 * MIB);

        drop(room.take(20 * MIB));
        room.look_since(looked, FREE_BYTES_AT_LEAST + 62 * MIB);

        assert!(room.has_beside_events(MIB) && !room.has_beside_events(2 * MIB));
        room.look(FREE_BYTES_AT_LEAST + 22 * MIB);
        assert!(room.has_beside_events(MIB) && !room.has_beside_events(2 * MIB));
        drop(slow);
        assert!(!room.has_beside_events(2 * MIB), "it has come since");
        room.look(FREE_BYTES_AT_LEAST + 22 * MIB);
        assert!(room.has_beside_events(22 * MIB));
    }

    #[test]
    fn looks_that_see_nothing_stop_no_events_for_ever() {
        let room = EventRoom::default();
        room.look(FREE_BYTES_AT_LEAST + 10 * MIB);

        for _ in 0..100 {
            let looked = room.written();
            drop(room.take(MIB).expect("room"));
            room.look_in_vain(looked);
        }
    }

    #[test]
    fn events_move_into_files_where_none_are_taken_any_more() {
        let room = EventRoom::default();

        room.look(FREE_BYTES_AT_LEAST - 1);
        assert!(room.take(1).is_none() && room.take_for_files(MIB).is_some());
        room.look(FREE_BYTES_BESIDE_FILES + MIB);
        assert!(room.take_for_files(MIB).is_none());
    }
}
