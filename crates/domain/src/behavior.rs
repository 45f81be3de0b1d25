//! What an audience asks of a visitor's earlier behaviour.

use crate::PageId;

/// How often, and how recently, a visitor must have done something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behavior {
    /// What they did.
    pub event: BehaviorEvent,
    /// Times they did it at least.
    pub at_least: u32,
    /// Times they did it at most; any number, if left out.
    pub at_most: Option<u32>,
    /// How many days count, today among them.
    pub within_days: u32,
}

/// Something a visitor does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BehaviorEvent {
    /// Whatever the site pushes under this name.
    Event(String),
    /// Being where the page is active.
    Page(PageId),
}
