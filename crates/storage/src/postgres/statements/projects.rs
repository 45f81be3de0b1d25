//! Projects and their drafts.

use crate::statements::statements;

statements! {
    /// Until this transaction ends, no other one takes a key for a project. Two numbers are another kind of lock than the ids of
    /// projects.
    LOCK_KEYS = "SELECT pg_advisory_xact_lock(1, 1)";
}
