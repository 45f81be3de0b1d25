//! The audit log and its chain.

statements! {
    ADD_AUDIT_ENTRY = "\
        INSERT INTO audit_entry \
            (at, event, actor, member, client_id, address, detail, project, entity, change, request_id, count) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1)";

    COUNT_REFUSAL = "\
        INSERT INTO audit_entry (at, event, actor, member, client_id, address, detail, count, minute) \
        VALUES ($1, $2, 'unknown', $3, $4, $5, '', $6, $1) \
        ON CONFLICT (event, client_id, member, address, minute) WHERE minute IS NOT NULL \
        DO UPDATE SET count = audit_entry.count + excluded.count";

    LIST_AUDIT_ENTRIES = "\
        SELECT entry.id, entry.at, entry.event, entry.actor, entry.member, member.email, \
            entry.client_id, entry.address, entry.detail, entry.count, \
            entry.project, entry.entity, entry.change, entry.request_id, \
            entry.seal, entry.prev_hash, entry.hash \
        FROM audit_entry AS entry LEFT JOIN member ON member.id = entry.member \
        WHERE entry.at >= $1 AND entry.at < $2 \
            AND (entry.project = $3 OR $3 = 0) AND ($4 = '' OR entry.event = $4) \
            AND ($5 = '' OR entry.member = $6 OR entry.detail LIKE $5 ESCAPE '!' \
                OR lower(entry.detail) LIKE $7 ESCAPE '!') \
        ORDER BY entry.id DESC LIMIT $8 OFFSET $9";

    COUNT_AUDIT_ENTRIES = "\
        SELECT COUNT(*) FROM audit_entry AS entry \
        WHERE entry.at >= $1 AND entry.at < $2 \
            AND (entry.project = $3 OR $3 = 0) AND ($4 = '' OR entry.event = $4) \
            AND ($5 = '' OR entry.member = $6 OR entry.detail LIKE $5 ESCAPE '!' \
                OR lower(entry.detail) LIKE $7 ESCAPE '!')";

    /// Only the beginning of the chain is deleted, never its end, whose hash the next entry needs.
    DELETE_OLD_AUDIT_ENTRIES = "\
        WITH first AS ( \
            SELECT seal, at > $1 AS is_kept FROM audit_entry \
            WHERE seal IS NOT NULL ORDER BY seal LIMIT $2) \
        DELETE FROM audit_entry WHERE seal IN (SELECT seal FROM first) \
            AND seal < COALESCE( \
                (SELECT MIN(seal) FROM first WHERE is_kept), (SELECT MAX(seal) FROM audit_entry))";

    /// What the counts of a minute become is known when it is over.
    LIST_UNSEALED_ENTRIES = "\
        SELECT id, at, event, actor, member, client_id, address, detail, count, project, entity, \
            change, request_id \
        FROM audit_entry WHERE seal IS NULL AND (minute IS NULL OR minute <= $1) ORDER BY id LIMIT $2";

    FIND_OLDEST_UNSEALED = "\
        SELECT at FROM audit_entry WHERE seal IS NULL AND (minute IS NULL OR minute <= $1) \
        ORDER BY id LIMIT 1";

    /// From when to when entries were written that have no seal, whatever else stands in them. What to count is complete so much later.
    FIND_UNSEALED_SPAN = "\
        SELECT MIN(CASE WHEN minute IS NULL THEN at ELSE at + $1 END), MAX(at) \
        FROM audit_entry WHERE seal IS NULL";

    /// Without a minute, nothing is counted to an entry any more: what comes late is another one.
    SEAL_AUDIT_ENTRY = "\
        UPDATE audit_entry SET seal = $1, prev_hash = $2, hash = $3, minute = NULL WHERE id = $4";

    FIND_AUDIT_HEAD = "\
        SELECT seal, hash FROM audit_entry WHERE seal IS NOT NULL ORDER BY seal DESC LIMIT 1";

    LIST_SEALED_ENTRIES = "\
        SELECT id, at, event, actor, member, client_id, address, detail, count, project, entity, \
            change, request_id, seal, prev_hash, hash \
        FROM audit_entry WHERE seal > $1 ORDER BY seal LIMIT $2";

    FIND_FIRST_SEAL_SINCE = "SELECT MIN(seal) FROM audit_entry WHERE seal IS NOT NULL AND at >= $1";
}
