//! How much a batch and its events may hold.

/// Events of one batch.
pub const EVENTS_AT_MOST: usize = 500;

/// Bytes of the JSON of a batch.
pub const BATCH_BYTES_AT_MOST: usize = 1024 * 1024;

/// Characters of a visitor's id.
pub const VISITOR_CHARACTERS_AT_MOST: usize = 128;

/// Characters of an event's id, of its name, and of the names of its properties.
pub const NAME_CHARACTERS_AT_MOST: usize = 64;

/// The revenue of one event, either way: more than any order costs in any currency's smallest unit, and a JSON number has all of it.
pub const REVENUE_AT_MOST: u64 = 1_000_000_000_000_000;

/// Properties of one event.
pub const PROPERTIES_AT_MOST: usize = 30;

/// Bytes of a property's text; the rest is cut off.
pub const TEXT_BYTES_AT_MOST: usize = 2_000;

/// Faults of the rows of a file that are reported: a wrong name, or a wrong column, makes one in every row.
pub const FAULTS_REPORTED: usize = 20;
