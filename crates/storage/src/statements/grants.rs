//! Token families with their access and refresh tokens.

statements! {
    ADD_FAMILY = "\
        INSERT INTO token_family \
            (code, client_id, member, scope, generation, seen_generation, expires_at, ends_at, \
            last_used_at) \
        VALUES ($1, $2, $3, $4, 0, 0, $5, $6, $7) \
        RETURNING id";

    MOVE_FAMILY_ON = "\
        UPDATE token_family SET generation = $1, expires_at = $2, last_used_at = $3 WHERE id = $4";

    MARK_GENERATION_SEEN = "UPDATE token_family SET seen_generation = $1 WHERE id = $2 AND seen_generation < $1";

    END_FAMILY = "\
        UPDATE token_family SET ended_at = $1, expires_at = $1 \
        WHERE id = $2 AND ended_at IS NULL \
        RETURNING member";

    END_ALL_FAMILIES = "UPDATE token_family SET ended_at = $1, expires_at = $1 WHERE ended_at IS NULL";

    REMOVE_ALL_CODES = "DELETE FROM authorization_code";

    REMOVE_ALL_SESSIONS = "DELETE FROM session";

    ADD_REFRESH_TOKEN = "INSERT INTO refresh_token (hash, family, generation) VALUES ($1, $2, $3)";

    FIND_REFRESH_TOKEN = "\
        SELECT token.generation, family.id, family.client_id, family.scope, family.generation, \
            family.seen_generation, family.expires_at, family.ends_at, family.ended_at, family.member, \
            family.last_used_at \
        FROM refresh_token AS token JOIN token_family AS family ON family.id = token.family \
        WHERE token.hash = $1";

    /// They stay, to notice when one is used after all.
    MARK_REFRESH_TOKENS_REPLACED = "UPDATE refresh_token SET generation = -1 WHERE family = $1 AND generation = $2";

    REMOVE_OTHER_REFRESH_TOKENS_OF_GENERATION = "DELETE FROM refresh_token WHERE family = $1 AND generation = $2 AND hash <> $3";

    ADD_ACCESS_TOKEN = "\
        INSERT INTO access_token (hash, family, generation, scope, expires_at) \
        VALUES ($1, $2, $3, $4, $5)";

    FIND_ACCESS_TOKEN = "\
        SELECT family.member, family.client_id, token.scope, token.expires_at, \
            token.family, token.generation, family.seen_generation \
        FROM access_token AS token JOIN token_family AS family ON family.id = token.family \
            JOIN client ON client.client_id = family.client_id \
        WHERE token.hash = $1 AND token.expires_at > $2 AND family.ended_at IS NULL \
            AND client.disabled_at IS NULL \
            AND (client.kind = 'public' OR EXISTS ( \
                SELECT 1 FROM client_secret AS secret WHERE secret.client_id = client.client_id))";

    REMOVE_ACCESS_TOKENS_OF_GENERATION = "DELETE FROM access_token WHERE family = $1 AND generation = $2";

    REMOVE_ACCESS_TOKEN_OF_CLIENT = "\
        DELETE FROM access_token \
        WHERE hash = $1 AND family IN (SELECT id FROM token_family WHERE client_id = $2) \
        RETURNING (SELECT member FROM token_family WHERE id = access_token.family)";
}
