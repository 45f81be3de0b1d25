//! Expired rows, the oldest first, a few each time.

/// A statement that deletes rows which have expired at `$1`, `$2` of them at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Deletion {
    /// For a database with one writer.
    pub(crate) alone: &'static str,
    /// Leaves to another time what another transaction works on at this moment.
    pub(crate) among_others: &'static str,
}

/// Makes a [`Deletion`] of each table, by its key and the column of time.
macro_rules! deletions {
    ($($name:ident = $table:literal, $key:literal, $time:literal;)+) => {
        $(pub(crate) const $name: Deletion = Deletion {
            alone: deletions!(@text $table, $key, $time, ""),
            among_others: deletions!(@text $table, $key, $time, " FOR UPDATE SKIP LOCKED"),
        };)+

        pub(crate) const ALL: &[(&str, &str)] = &[$((stringify!($name), $name.alone)),+];

        pub(crate) const ALL_AMONG_OTHERS: &[(&str, &str)] =
            &[$((stringify!($name), $name.among_others)),+];
    };
    (@text $table:literal, $key:literal, $time:literal, $lock:literal) => {
        concat!(
            "DELETE FROM ", $table, " WHERE (", $key, ") IN (SELECT ", $key, " FROM ", $table,
            " WHERE ", $time, " <= $1 ORDER BY ", $time, " LIMIT $2", $lock, ")"
        )
    };
}

deletions! {
    DELETE_EXPIRED_CODES = "authorization_code", "hash", "expires_at";
    DELETE_EXPIRED_ACCESS_TOKENS = "access_token", "hash", "expires_at";
    DELETE_EXPIRED_FAMILIES = "token_family", "id", "expires_at";
    DELETE_EXPIRED_SESSIONS = "session", "hash", "expires_at";
    DELETE_EXPIRED_CHALLENGES = "spent_challenge", "hash", "expires_at";
    DELETE_EXPIRED_PREVIEW_LINKS = "preview_link", "id", "expires_at";
    DELETE_EXPIRED_INVITATIONS = "invitation", "id", "expires_at";
    DELETE_EXPIRED_RESULTS_LINKS = "results_link", "id", "expires_at";
    DELETE_EXPIRED_API_TOKENS = "api_token", "id", "expires_at";
    DELETE_OLD_DELIVERIES = "webhook_delivery", "webhook, message", "made_at";
    DELETE_OLD_ATTEMPTS = "earlier_webhook_attempt", "webhook, message, attempted_at", "attempted_at";
}
