//! What one process of several does.

use clap::ValueEnum;

use crate::data_place::DataPlace;
use crate::failure::Failure;
use crate::opening::{self, DatabaseLocation};

/// What a process does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Role {
    /// Everything.
    All,
    /// Answer visitors alone: deliver snippets and take events. It needs PostgreSQL, and keeps nothing on a disk of its own.
    Collect,
}

impl Role {
    /// Refuses a collector without a process that does the rest.
    pub(crate) fn check(self, place: &DataPlace) -> Result<(), Failure> {
        match (self, opening::at(place)) {
            (Self::All, _) | (Self::Collect, DatabaseLocation::Server(_)) => Ok(()),
            (Self::Collect, DatabaseLocation::File(_)) => Err(Failure::input(
                "--role collect shares a PostgreSQL database with the processes that do the rest, and none is named\n  \
                 hint: name it with --database postgres://…",
            )),
        }
    }
}
