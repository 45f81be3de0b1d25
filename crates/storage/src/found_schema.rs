//! The schema of a database, found before anything in it changes.

/// What opening a database would do to its schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundSchema {
    /// There are no tables yet: they would be made.
    Empty,
    /// An earlier Assay made them: they would be migrated.
    Older {
        /// The database's schema.
        found: u32,
        /// The newest one, which this binary knows.
        known: u32,
    },
    /// Nothing.
    Current,
}

impl FoundSchema {
    /// That of a database which has seen so many of the migrations, and no others.
    pub(crate) fn of(found: u32, known: u32) -> Self {
        match found {
            0 => Self::Empty,
            found if found < known => Self::Older { found, known },
            _ => Self::Current,
        }
    }
}
