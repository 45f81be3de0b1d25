//! Answers under idempotency keys.

statements! {
    /// A few each time, so that no request waits.
    DELETE_EXPIRED_ANSWERS = "\
        DELETE FROM idempotent_answer WHERE hash IN ( \
            SELECT hash FROM idempotent_answer WHERE expires_at <= $1 ORDER BY expires_at LIMIT 16)";

    /// The key is free, or the request that had it has not been answered for so long that it never will be.
    TAKE_KEY = "\
        INSERT INTO idempotent_answer (hash, request, expires_at) VALUES ($1, $2, $3) \
        ON CONFLICT (hash) DO UPDATE \
        SET request = excluded.request, answer = NULL, expires_at = excluded.expires_at \
        WHERE idempotent_answer.expires_at <= $4";

    FIND_ANSWER = "SELECT request, answer FROM idempotent_answer WHERE hash = $1";

    KEEP_ANSWER = "UPDATE idempotent_answer SET answer = $1, expires_at = $2 WHERE hash = $3";

    FORGET_KEY = "DELETE FROM idempotent_answer WHERE hash = $1";
}
