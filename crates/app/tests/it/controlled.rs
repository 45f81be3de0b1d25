//! A clock and randomness that a story controls. The stories over HTTP use them, too.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use app::{Clock, Entropy};
use oauth::Timestamp;

/// A clock that stands still until a story moves it. It begins on 15 January 2027 at eight.
pub(crate) struct HandClock {
    wall_time: AtomicI64,
    /// How far time is ahead of that, in milliseconds.
    ahead: AtomicI64,
}

impl Default for HandClock {
    fn default() -> Self {
        Self { wall_time: AtomicI64::new(1_800_000_000_000), ahead: AtomicI64::new(0) }
    }
}

impl HandClock {
    pub(crate) fn advance_seconds(&self, seconds: i64) {
        self.wall_time.fetch_add(seconds * 1_000, Ordering::Relaxed);
    }

    /// The clock is set back, and time does not go back.
    pub(crate) fn set_back_seconds(&self, seconds: i64) {
        self.wall_time.fetch_sub(seconds * 1_000, Ordering::Relaxed);
        self.ahead.fetch_add(seconds * 1_000, Ordering::Relaxed);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        let ahead = self.ahead.load(Ordering::Relaxed);
        Timestamp::from_milliseconds(self.wall_time.load(Ordering::Relaxed) + ahead)
    }

    fn wall_time(&self) -> Timestamp {
        Timestamp::from_milliseconds(self.wall_time.load(Ordering::Relaxed))
    }
}

/// The same unpredictable-looking bytes in every run (splitmix64).
#[derive(Default)]
pub(crate) struct SeededEntropy(AtomicU64);

impl Entropy for SeededEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            let mut word = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
            word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            chunk.copy_from_slice(&(word ^ (word >> 31)).to_le_bytes()[..chunk.len()]);
        }
    }
}
