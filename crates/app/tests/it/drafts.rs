//! A project is changed by several at once, as a whole or in one place, and nothing of anybody's is lost.

mod at_once;
mod documents;
mod files;
mod preconditions;
mod renaming;
mod stamps;

pub(crate) use files::written;
