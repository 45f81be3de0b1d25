//! Who changes a draft, and when: a member, a project file, or a schedule.

use oauth::Timestamp;

/// Who changes a draft, in words for people, and when.
#[derive(Debug, Clone)]
pub(crate) struct Author {
    /// When.
    pub(crate) at: Timestamp,
    /// Who.
    pub(crate) by: String,
}
