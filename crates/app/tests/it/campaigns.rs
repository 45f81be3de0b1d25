//! Campaigns begin, rest and end, and visitors notice at once.

mod actions;
mod conclusions;
mod copies;
mod new_ids;
mod phases;
mod starts;
mod variations;
