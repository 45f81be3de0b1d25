//! What an audience requires of a visitor's earlier behavior.

use crate::PageId;

/// How often, and how recently, a visitor must have done something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behavior {
    /// What the visitor did.
    pub event: BehaviorEvent,
    /// How often the visitor did it at least.
    pub at_least: u32,
    /// How often the visitor did it at most; without a limit if left out.
    pub at_most: Option<u32>,
    /// How many days count, including today.
    pub within_days: u32,
}

/// Something that a visitor does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BehaviorEvent {
    /// An event that the site pushes under this name.
    Event(String),
    /// A view of this page.
    Page(PageId),
}
