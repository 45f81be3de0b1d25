//! Consents, and everything that acts for a member.

statements! {
    FIND_CONSENT = "SELECT scope FROM consent WHERE member = $1 AND client_id = $2";

    PUT_CONSENT = "\
        INSERT INTO consent (member, client_id, scope, allowed_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (member, client_id) DO UPDATE SET scope = excluded.scope";

    /// What a member allowed, with the moment it was last used: 0 if never.
    LIST_CONNECTIONS = "\
        SELECT consent.client_id, client.name, client.redirect_uris, consent.scope, \
            consent.allowed_at, COALESCE(( \
                SELECT MAX(family.last_used_at) FROM token_family AS family \
                WHERE family.client_id = consent.client_id AND family.member = consent.member), 0) \
        FROM consent JOIN client ON client.client_id = consent.client_id \
        WHERE consent.member = $1 \
        ORDER BY client.name, consent.client_id LIMIT $2";

    REMOVE_CONSENT = "DELETE FROM consent WHERE member = $1 AND client_id = $2";

    REMOVE_CODES_OF_CONSENT = "DELETE FROM authorization_code WHERE member = $1 AND client_id = $2";

    END_FAMILIES_OF_CONSENT = "\
        UPDATE token_family SET ended_at = $1, expires_at = $1 \
        WHERE client_id = $2 AND member = $3 AND ended_at IS NULL";

    /// The clients that act for a member, or may.
    LIST_CLIENTS_OF_MEMBER = "\
        SELECT client_id FROM client WHERE \
            EXISTS (SELECT 1 FROM consent \
                WHERE consent.member = $1 AND consent.client_id = client.client_id) \
            OR EXISTS (SELECT 1 FROM token_family AS family \
                WHERE family.client_id = client.client_id AND family.member = $1 \
                    AND family.ended_at IS NULL) \
        ORDER BY client_id";

    REMOVE_CODES_OF_MEMBER = "DELETE FROM authorization_code WHERE member = $1";

    REMOVE_CONSENTS_OF_MEMBER = "DELETE FROM consent WHERE member = $1";

    /// By client and member, as families are indexed.
    END_FAMILIES_OF_MEMBER = "\
        UPDATE token_family SET ended_at = $1, expires_at = $1 \
        WHERE client_id IN (SELECT client_id FROM client) AND member = $2 AND ended_at IS NULL";
}
