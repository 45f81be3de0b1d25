//! The audit log and its chain.

use crate::statements::statements;

statements! {
    /// Until this transaction ends, no other one seals entries of the audit log. Project ids, which are locks too, are positive.
    LOCK_AUDIT_CHAIN = "SELECT pg_advisory_xact_lock(-2)";

    /// A transaction that counts to one of them waits, and then finds it complete.
    LIST_AND_LOCK_UNSEALED_ENTRIES = "\
        SELECT id, at, event, actor, member, client_id, address, detail, count, project, entity, \
            change, request_id \
        FROM audit_entry WHERE seal IS NULL AND (minute IS NULL OR minute <= $1) ORDER BY id LIMIT $2 \
        FOR UPDATE";

    SEAL_AUDIT_ENTRIES = "\
        UPDATE audit_entry AS entry \
        SET seal = sealed.seal, prev_hash = sealed.prev_hash, hash = sealed.hash, minute = NULL \
        FROM unnest($1::BIGINT[], $2::BIGINT[], $3::BYTEA[], $4::BYTEA[]) \
            AS sealed (id, seal, prev_hash, hash) \
        WHERE entry.id = sealed.id";
}
