//! Authorization codes.

use crate::statements::statements;

statements! {
    /// Keeps a code, unless it was spent before or the session in which it was allowed has ended, and remembers the consent; writes it down where it was given now, from an address. A
    /// scope that was allowed before and goes on being allowed may stand there twice: it is
    /// read as a set.
    ADD_CODE_AND_CONSENT = "\
        WITH asked AS MATERIALIZED ( \
            SELECT 1 FROM session WHERE hash = $10 AND member = $3 FOR SHARE), \
        code AS ( \
            INSERT INTO authorization_code \
                (hash, client_id, member, redirect_uri, scope, code_challenge, expires_at, \
                is_scope_told) \
            SELECT $1, $2, $3, $4, $5, $6, $7, $11 FROM asked \
            WHERE NOT EXISTS (SELECT 1 FROM token_family WHERE code = $1) \
            ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at \
            RETURNING expires_at), \
        noted AS ( \
            INSERT INTO audit_entry (at, event, actor, member, client_id, address, detail, count) \
            SELECT $8, 'consent.allowed', 'member', $3, $2, $9, $5, 1 FROM code \
            WHERE $9::TEXT IS NOT NULL), \
        allowed AS ( \
            INSERT INTO consent (member, client_id, scope, allowed_at) SELECT $3, $2, $5, $8 FROM code \
            ON CONFLICT (member, client_id) DO UPDATE SET scope = consent.scope || ' ' || excluded.scope \
            WHERE NOT string_to_array(excluded.scope, ' ') <@ string_to_array(consent.scope, ' ')) \
        SELECT expires_at FROM code";

    /// Spends a code, if everything about the exchange is right, and stores what it becomes. A second exchange waits for the first to
    /// commit, and finds no code; or finds it kept again by a request that waited as well, but then it has become something already.
    EXCHANGE_CODE = "\
        WITH code AS ( \
            DELETE FROM authorization_code \
            WHERE hash = $1 AND client_id = $2 AND redirect_uri = $3 \
                AND code_challenge IS NOT DISTINCT FROM $4 AND expires_at > $5 \
                AND expires_at <= $12 \
            RETURNING member, scope, is_scope_told), \
        family AS ( \
            INSERT INTO token_family \
                (code, client_id, member, scope, generation, seen_generation, expires_at, ends_at, \
                last_used_at) \
            SELECT $1, $2, member, scope, 0, 0, $6, $7, $5 FROM code \
            ON CONFLICT (code) DO NOTHING \
            RETURNING id, member, scope), \
        noted AS ( \
            INSERT INTO audit_entry (at, event, actor, member, client_id, address, detail, count) \
            SELECT $5, 'code.exchanged', 'client', member, $2, $11, scope, 1 FROM family), \
        refresh AS ( \
            INSERT INTO refresh_token (hash, family, generation) SELECT $8, id, 0 FROM family), \
        access AS ( \
            INSERT INTO access_token (hash, family, generation, scope, expires_at) \
            SELECT $9, id, 0, scope, $10 FROM family) \
        SELECT id, member, scope, (SELECT is_scope_told FROM code) FROM family";
}
