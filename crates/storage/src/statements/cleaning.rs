//! Expired rows.

statements! {
    DELETE_EXPIRED_CODES = "\
        DELETE FROM authorization_code WHERE hash IN ( \
            SELECT hash FROM authorization_code WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

    DELETE_EXPIRED_ACCESS_TOKENS = "\
        DELETE FROM access_token WHERE hash IN ( \
            SELECT hash FROM access_token WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

    DELETE_EXPIRED_FAMILIES = "\
        DELETE FROM token_family WHERE id IN ( \
            SELECT id FROM token_family WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

    DELETE_EXPIRED_SESSIONS = "\
        DELETE FROM session WHERE hash IN ( \
            SELECT hash FROM session WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

    DELETE_EXPIRED_CHALLENGES = "\
        DELETE FROM spent_challenge WHERE hash IN ( \
            SELECT hash FROM spent_challenge WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

    DELETE_EXPIRED_PREVIEW_LINKS = "\
        DELETE FROM preview_link WHERE id IN ( \
            SELECT id FROM preview_link WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

    DELETE_EXPIRED_INVITATIONS = "\
        DELETE FROM invitation WHERE id IN ( \
            SELECT id FROM invitation WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

    DELETE_EXPIRED_RESULTS_LINKS = "\
        DELETE FROM results_link WHERE id IN ( \
            SELECT id FROM results_link WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

    DELETE_EXPIRED_API_TOKENS = "\
        DELETE FROM api_token WHERE id IN ( \
            SELECT id FROM api_token WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

    DELETE_OLD_DELIVERIES = "\
        DELETE FROM webhook_delivery WHERE (webhook, message) IN ( \
            SELECT webhook, message FROM webhook_delivery WHERE made_at <= $1 ORDER BY made_at LIMIT $2)";

    DELETE_OLD_ATTEMPTS = "\
        DELETE FROM earlier_webhook_attempt WHERE (webhook, message, attempted_at) IN ( \
            SELECT webhook, message, attempted_at FROM earlier_webhook_attempt WHERE attempted_at <= $1 \
            ORDER BY attempted_at LIMIT $2)";
}
