//! Clients and their secrets.

statements! {
    ADD_CLIENT = "\
        INSERT INTO client (client_id, name, kind, redirect_uris, origin, scope) \
        VALUES ($1, $2, $3, $4, $5, $6)";

    PUT_CLIENT = "\
        INSERT INTO client (client_id, name, kind, redirect_uris, origin, scope) \
        VALUES ($1, $2, $3, $4, $5, $6) \
        ON CONFLICT (client_id) DO UPDATE \
        SET name = excluded.name, kind = excluded.kind, redirect_uris = excluded.redirect_uris, \
            origin = excluded.origin, scope = excluded.scope";

    /// Only where it is as it was seen, and no project file has declared it since.
    CHANGE_CLIENT = "\
        UPDATE client SET name = COALESCE($1, name), redirect_uris = COALESCE($2, redirect_uris), \
            scope = COALESCE($3, scope) \
        WHERE client_id = $4 AND name = $5 AND redirect_uris = $6 \
            AND scope IS NOT DISTINCT FROM $7 AND origin <> 'project_file'";

    DISABLE_CLIENT = "UPDATE client SET disabled_at = $1 WHERE client_id = $2 AND disabled_at IS NULL";

    ENABLE_CLIENT = "UPDATE client SET disabled_at = NULL WHERE client_id = $1 AND disabled_at IS NOT NULL";

    REMOVE_CLIENT = "DELETE FROM client WHERE client_id = $1";

    /// A row for each secret, or one row without a secret.
    LOOKUP_CLIENT = "\
        SELECT client.client_id, client.name, client.kind, client.redirect_uris, client.origin, \
            client.disabled_at, secret.id, secret.hash, secret.note, secret.created_at, \
            secret.last_used_at, client.scope \
        FROM client LEFT JOIN client_secret AS secret ON secret.client_id = client.client_id \
        WHERE client.client_id = $1 \
        ORDER BY secret.created_at, secret.id";

    /// The rows of each client as above.
    LIST_CLIENTS = "\
        SELECT client.client_id, client.name, client.kind, client.redirect_uris, client.origin, \
            client.disabled_at, secret.id, secret.hash, secret.note, secret.created_at, \
            secret.last_used_at, client.scope \
        FROM (SELECT * FROM client ORDER BY name, client_id LIMIT $1 OFFSET $2) AS client \
            LEFT JOIN client_secret AS secret ON secret.client_id = client.client_id \
        ORDER BY client.name, client.client_id, secret.created_at, secret.id";

    ADD_CLIENT_SECRET = "\
        INSERT INTO client_secret (client_id, id, hash, note, created_at) VALUES ($1, $2, $3, $4, $5)";

    REMOVE_CLIENT_SECRET = "DELETE FROM client_secret WHERE client_id = $1 AND id = $2";

    NOTE_SECRET_USE = "\
        UPDATE client_secret SET last_used_at = $1 \
        WHERE client_id = $2 AND id = $3 AND (last_used_at IS NULL OR last_used_at <= $4)";
}
