//! Old entries of the audit log.

use crate::statements::statements;

statements! {
    /// As SQLite does it, unless another process is sealing or deleting: two who delete at once might leave something between.
    DELETE_OLD_AUDIT_ENTRIES = "\
        WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(-2) AS is_ours), \
        first AS ( \
            SELECT seal, at > $1 AS is_kept FROM audit_entry \
            WHERE seal IS NOT NULL AND (SELECT is_ours FROM turn) ORDER BY seal LIMIT $2) \
        DELETE FROM audit_entry WHERE seal IN (SELECT seal FROM first) \
            AND seal < COALESCE( \
                (SELECT MIN(seal) FROM first WHERE is_kept), (SELECT MAX(seal) FROM audit_entry))";
}
