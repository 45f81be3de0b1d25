//! The source of time. The real clock is in `server`; tests set theirs by hand.

use oauth::Timestamp;

/// Tells the time. Use cases ask it once and pass the answer on, so that one request sees one moment.
pub trait Clock: Send + Sync + 'static {
    /// The present moment, which is never before one that was told already: what has expired stays expired. After a clock that was ahead,
    /// it is ahead of the wall time for a while.
    fn now(&self) -> Timestamp;

    /// The time by which the rest of the world goes, for what others compare with their own clocks. It goes back when a wrong clock is set right.
    fn wall_time(&self) -> Timestamp;
}
