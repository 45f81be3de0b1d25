//! Several editors change a project at once, as a whole or in one place, and no editor loses work.

mod at_once;
mod documents;
mod files;
mod preconditions;
mod renaming;
mod stamps;
mod unreadable;

pub(crate) use files::written;
