//! What this server knows of events beside what they say.

/// How many events are odd.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Of programs: they do not count.
    pub(super) bots: u64,
    /// Exposures that the page or a preview forced: they do not count.
    pub(super) forced: u64,
    /// With a time that cannot be: they count as of when they came.
    pub(super) late: u64,
}

impl Tally {
    /// Counts those of another part of the events, too.
    pub(super) fn add(&mut self, other: Self) {
        self.bots += other.bots;
        self.forced += other.forced;
        self.late += other.late;
    }
}
