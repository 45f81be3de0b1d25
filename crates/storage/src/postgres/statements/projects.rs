//! Projects and their drafts.

use crate::statements::statements;

statements! {
    /// From here to the end of the transaction nobody else takes a key for a project. Two numbers are another kind of lock than the ids of
    /// projects.
    LOCK_KEYS = "SELECT pg_advisory_xact_lock(1, 1)";
}
