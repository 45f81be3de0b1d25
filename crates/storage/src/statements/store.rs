//! What belongs to no subject.

statements! {
    ADD_SIGNING_KEY = "INSERT INTO signing_key (id, key) VALUES (1, $1) ON CONFLICT (id) DO NOTHING";

    FIND_SIGNING_KEY = "SELECT key FROM signing_key WHERE id = 1";

    FIND_NEWEST_MOMENT = "\
        SELECT MAX(moment) FROM ( \
            SELECT MAX(expires_at) - $1 AS moment FROM access_token \
            UNION ALL SELECT MAX(expires_at) - $2 FROM authorization_code \
            UNION ALL SELECT MAX(expires_at) - $3 FROM session \
            UNION ALL SELECT at FROM audit_entry WHERE id = (SELECT MAX(id) FROM audit_entry)) AS newest";
}
