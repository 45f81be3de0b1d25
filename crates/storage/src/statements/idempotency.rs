//! Answers under idempotency keys.

statements! {
    /// A few each time, so that no request waits.
    DELETE_EXPIRED_ANSWERS = "\
        DELETE FROM idempotent_answer WHERE hash IN ( \
            SELECT hash FROM idempotent_answer WHERE expires_at <= $1 ORDER BY expires_at LIMIT 16)";

    /// The key is free, or the request that had it has not been answered for so long that it never will be.
    TAKE_KEY = "\
        INSERT INTO idempotent_answer (hash, request, lease, expires_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (hash) DO UPDATE \
        SET request = excluded.request, answer = NULL, lease = excluded.lease, expires_at = excluded.expires_at \
        WHERE idempotent_answer.expires_at <= $5";

    FIND_ANSWER = "SELECT request, answer FROM idempotent_answer WHERE hash = $1";

    /// Not that of a key with an answer, which is kept for longer.
    RENEW_LEASE = "\
        UPDATE idempotent_answer SET expires_at = $1 WHERE hash = $2 AND lease = $3 AND answer IS NULL";

    /// Also where the key was cleaned away while its lease could not be renewed, and no other request has taken it since.
    KEEP_ANSWER = "\
        INSERT INTO idempotent_answer (hash, request, answer, lease, expires_at) VALUES ($1, $2, $3, $4, $5) \
        ON CONFLICT (hash) DO UPDATE SET answer = excluded.answer, expires_at = excluded.expires_at \
        WHERE idempotent_answer.lease = excluded.lease";

    FORGET_KEY = "DELETE FROM idempotent_answer WHERE hash = $1 AND lease = $2";
}
