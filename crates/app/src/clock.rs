//! The source of time. The real clock is in `server`; tests set theirs by hand.

use oauth::Timestamp;

/// Tells the time. Use cases ask it once and pass the answer on, so that one request sees one moment.
pub trait Clock: Send + Sync + 'static {
    /// The present moment.
    fn now(&self) -> Timestamp;
}
