//! Token families with their access and refresh tokens.

use crate::statements::statements;

statements! {
    /// The whole refresh of a client that keeps its token, if it is the newest and everything about it is right. Nothing is locked but
    /// once a day, when the family is prolonged: many may use the token at once.
    REFRESH_KEEPING = "\
        WITH token AS ( \
            SELECT family.id, token.generation, COALESCE($4, family.scope) AS scope, family.member, \
                family.seen_generation, family.last_used_at, \
                LEAST($5, family.ends_at) AS expires_after_use \
            FROM refresh_token AS token JOIN token_family AS family ON family.id = token.family \
            WHERE token.hash = $1 AND family.client_id = $2 AND family.ended_at IS NULL \
                AND family.expires_at > $3 AND family.expires_at <= $9 \
                AND token.generation = family.generation \
                AND string_to_array(family.scope, ' ') <@ string_to_array($10, ' ') \
                AND COALESCE(string_to_array($4, ' ') <@ string_to_array(family.scope, ' '), TRUE)), \
        prolonged AS ( \
            UPDATE token_family AS family \
            SET expires_at = token.expires_after_use, last_used_at = $3 FROM token \
            WHERE family.id = token.id AND family.ended_at IS NULL \
                AND $3 - $6 >= family.last_used_at), \
        access AS ( \
            INSERT INTO access_token (hash, family, generation, scope, expires_at) \
            SELECT $7, id, generation, scope, $8 FROM token) \
        SELECT id, member, scope, seen_generation >= generation AS is_seen FROM token";

    /// The whole refresh of a client whose token is replaced, if it is the newest and everything about it is right. `xmin` tells one
    /// state of a row from the next: a request that had to wait because another one was using a token of the family changes nothing, as what
    /// this statement sees of the family's tokens is from before. What was asked for at the same moment as the token that is used goes.
    REFRESH_REPLACING = "\
        WITH token AS ( \
            SELECT family.id, family.xmin AS state, token.generation \
            FROM refresh_token AS token JOIN token_family AS family ON family.id = token.family \
            WHERE token.hash = $1), \
        moved AS ( \
            UPDATE token_family AS family \
            SET generation = family.generation + 1, expires_at = LEAST($5, family.ends_at), \
                last_used_at = $3 \
            FROM token \
            WHERE family.id = token.id AND family.xmin = token.state \
                AND family.client_id = $2 AND family.ended_at IS NULL \
                AND family.expires_at > $3 AND family.expires_at <= $9 \
                AND token.generation = family.generation \
                AND string_to_array(family.scope, ' ') <@ string_to_array($10, ' ') \
                AND COALESCE(string_to_array($4, ' ') <@ string_to_array(family.scope, ' '), TRUE) \
            RETURNING family.id, family.generation, COALESCE($4, family.scope) AS scope, family.member), \
        others AS ( \
            DELETE FROM refresh_token AS other USING moved \
            WHERE other.family = moved.id AND other.generation = moved.generation - 1 \
                AND other.hash <> $1), \
        successor AS ( \
            INSERT INTO refresh_token (hash, family, generation) SELECT $6, id, generation FROM moved), \
        access AS ( \
            INSERT INTO access_token (hash, family, generation, scope, expires_at) \
            SELECT $7, id, generation, scope, $8 FROM moved) \
        SELECT id, member, scope, FALSE AS is_seen FROM moved";

    /// Until this transaction ends, no other one uses a token of this family. New access tokens of it may still be stored.
    LOCK_FAMILY_OF_REFRESH_TOKEN = "\
        SELECT id FROM token_family WHERE id = (SELECT family FROM refresh_token WHERE hash = $1) \
        FOR NO KEY UPDATE";

    LOCK_FAMILY_OF_ACCESS_TOKEN = "\
        SELECT id FROM token_family WHERE id = (SELECT family FROM access_token WHERE hash = $1) \
        FOR NO KEY UPDATE";

    /// Ends a family because of what its client did, records that, and notifies all processes.
    END_FAMILY_AND_TELL = "\
        WITH ended AS ( \
            UPDATE token_family SET ended_at = $1, expires_at = $1 \
            WHERE id = $2 AND ended_at IS NULL RETURNING member, client_id), \
        noted AS ( \
            INSERT INTO audit_entry (at, event, actor, member, client_id, address, detail, count) \
            SELECT $1, $4, 'client', member, client_id, $5, '', 1 FROM ended) \
        SELECT pg_notify('assay_ended', $3) FROM ended";

    /// Removes an access token of a client, records that, and notifies all processes.
    REMOVE_ACCESS_TOKEN_AND_TELL = "\
        WITH removed AS ( \
            DELETE FROM access_token \
            WHERE hash = $1 AND family IN (SELECT id FROM token_family WHERE client_id = $2) \
            RETURNING family), \
        noted AS ( \
            INSERT INTO audit_entry (at, event, actor, member, client_id, address, detail, count) \
            SELECT $4, 'access_token.revoked', 'client', family.member, $2, $5, '', 1 \
            FROM removed JOIN token_family AS family ON family.id = removed.family) \
        SELECT pg_notify('assay_ended', $3) FROM removed";

    /// Sends the invalidations to all processes, once the transaction is committed.
    TELL = "SELECT pg_notify('assay_ended', $1)";
}
