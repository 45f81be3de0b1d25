//! The author of a draft change: a member, a project file, or a schedule; and its time.

use oauth::Timestamp;

/// The author of a draft change, in words for people, and its time.
#[derive(Debug, Clone)]
pub(crate) struct Author {
    /// The time.
    pub(crate) at: Timestamp,
    /// The author.
    pub(crate) by: String,
}
