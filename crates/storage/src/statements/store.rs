//! What belongs to no subject.

statements! {
    ADD_SIGNING_KEY = "INSERT INTO signing_key (id, key) VALUES (1, $1) ON CONFLICT (id) DO NOTHING";

    /// The key of a use, or the lasting one, which is the first.
    FIND_SIGNING_KEY = "SELECT key FROM signing_key WHERE id IN (1, $1) ORDER BY id DESC LIMIT 1";

    PUT_SIGNING_KEY = "\
        INSERT INTO signing_key (id, key) VALUES ($1, $2) \
        ON CONFLICT (id) DO UPDATE SET key = excluded.key";

    FIND_NEWEST_MOMENT = "\
        SELECT MAX(moment) FROM ( \
            SELECT MAX(expires_at) - $1 AS moment FROM access_token \
            UNION ALL SELECT MAX(expires_at) - $2 FROM authorization_code \
            UNION ALL SELECT MAX(expires_at) - $3 FROM session \
            UNION ALL SELECT at FROM audit_entry WHERE id = (SELECT MAX(id) FROM audit_entry)) AS newest";
}
