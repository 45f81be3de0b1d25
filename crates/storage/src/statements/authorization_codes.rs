//! Authorization codes.

statements! {
    ADD_AUTHORIZATION_CODE = "\
        INSERT INTO authorization_code \
            (hash, client_id, member, redirect_uri, scope, code_challenge, expires_at, is_scope_told) \
        SELECT $1, $2, $3, $4, $5, $6, $7, $8 \
        WHERE NOT EXISTS (SELECT 1 FROM token_family WHERE code = $1) \
        ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at \
        RETURNING expires_at";

    SPEND_AUTHORIZATION_CODE = "\
        DELETE FROM authorization_code \
        WHERE hash = $1 AND client_id = $2 AND redirect_uri = $3 \
            AND code_challenge IS NOT DISTINCT FROM $4 AND expires_at > $5 \
            AND expires_at <= $6 \
        RETURNING member, scope, is_scope_told";

    FIND_AUTHORIZATION_CODE = "SELECT client_id, redirect_uri, expires_at FROM authorization_code WHERE hash = $1";

    FIND_FAMILY_OF_CODE = "SELECT id, client_id FROM token_family WHERE code = $1";
}
