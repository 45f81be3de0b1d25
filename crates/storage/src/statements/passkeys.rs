//! Passkeys and the challenges that they answer.

statements! {
    /// One row, or none where the member has as many as $7 already.
    ADD_PASSKEY = "\
        INSERT INTO passkey (credential_id, id, member, credential, name, added_at) \
        SELECT $1, $2, $3, $4, $5, $6 \
        WHERE (SELECT COUNT(*) FROM passkey WHERE member = $3) < $7";

    FIND_PASSKEY = "\
        SELECT member.id, member.email, member.password_hash, member.is_password_temporary, \
            passkey.credential \
        FROM passkey JOIN member ON member.id = passkey.member \
        WHERE passkey.credential_id = $1";

    LIST_PASSKEYS = "\
        SELECT credential_id, id, name, added_at, last_used_at FROM passkey \
        WHERE member = $1 ORDER BY added_at, id";

    NOTE_PASSKEY_USE = "\
        UPDATE passkey SET credential = $1, last_used_at = $2 \
        WHERE credential_id = $3 AND credential = $4 AND member = $5";

    RENAME_PASSKEY = "UPDATE passkey SET name = $1 WHERE member = $2 AND id = $3";

    REMOVE_PASSKEY = "DELETE FROM passkey WHERE member = $1 AND id = $2 RETURNING name";

    REMOVE_PASSKEYS_OF_MEMBER = "DELETE FROM passkey WHERE member = $1 RETURNING name";

    SPEND_CHALLENGE = "INSERT INTO spent_challenge (hash, expires_at) VALUES ($1, $2)";
}
