//! Sessions, and what proves that one may start.

statements! {
    ADD_SESSION = "INSERT INTO session (hash, id, member, browser, started_at, seen_at, expires_at) \
        VALUES ($1, $2, $3, $4, $5, $5, $6)";

    FIND_SESSION = "\
        SELECT member.id, member.email, member.password_hash, member.is_password_temporary, \
            session.seen_at, session.started_at \
        FROM session JOIN member ON member.id = session.member \
        WHERE session.hash = $1 AND session.seen_at > $2 AND session.expires_at > $3";

    HAS_PASSWORD = "SELECT 1 FROM member WHERE id = $1 AND password_hash = $2";

    /// SQLite has one writer; PostgreSQL holds what it finds (`postgres/statements.rs`).
    HAS_SESSION = "SELECT 1 FROM session WHERE hash = $1 AND member = $2";

    TOUCH_SESSION = "UPDATE session SET seen_at = $1 WHERE hash = $2";

    REMOVE_SESSION = "DELETE FROM session WHERE hash = $1 RETURNING member";

    LIST_SESSIONS = "\
        SELECT hash, id, browser, started_at, seen_at FROM session \
        WHERE member = $1 AND seen_at > $2 AND expires_at > $3 \
        ORDER BY seen_at DESC, id LIMIT $4";

    END_SESSION = "DELETE FROM session WHERE member = $1 AND id = $2 RETURNING browser";

    END_OTHER_SESSIONS = "DELETE FROM session WHERE member = $1 AND hash <> $2 RETURNING browser";

    END_ALL_SESSIONS = "DELETE FROM session WHERE member = $1 RETURNING browser";
}
