//! Revisions and their snippets.

use crate::statements::statements;

statements! {
    /// Until this transaction ends, no other one publishes this project, which may not be there yet.
    LOCK_PROJECT = "SELECT pg_advisory_xact_lock($1)";

    /// Tells all processes, as soon as the transaction is committed, that something was published.
    TELL_PUBLICATION = "SELECT pg_notify('assay_published', '')";
}
