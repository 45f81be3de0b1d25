//! Campaigns begin, rest and end, and visitors notice at once.

mod actions;
mod conclusions;
mod copies;
mod phases;
mod variations;
