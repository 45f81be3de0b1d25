//! Days as forms send them: `2026-11-23`, in UTC.

use app::SentMoment;
use oauth::{Lifetime, Timestamp};

const DAY: Lifetime = Lifetime::from_seconds(24 * 3_600);

/// The beginning of a day; `None` if this is none.
pub(crate) fn beginning(text: &str) -> Option<Timestamp> {
    format!("{text}T00:00:00Z").parse().ok().map(|SentMoment(at)| at)
}

/// The end of a day, which is the beginning of the next one.
pub(crate) fn end(text: &str) -> Option<Timestamp> {
    beginning(text).map(|day| day + DAY)
}
