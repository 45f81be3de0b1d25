//! The sites that load snippets.

statements! {
    /// Nothing, if the project was deleted meanwhile.
    RECORD_LOAD = "\
        INSERT INTO installation (project, origin, first_seen_at, last_seen_at) \
        SELECT $1, $2, $3, $3 WHERE EXISTS (SELECT 1 FROM project WHERE id = $1) \
        ON CONFLICT (project, origin) DO UPDATE SET last_seen_at = excluded.last_seen_at \
        WHERE installation.last_seen_at < excluded.last_seen_at";

    FORGET_INSTALLATIONS = "\
        DELETE FROM installation WHERE project = $1 AND origin NOT IN \
            (SELECT origin FROM installation WHERE project = $1 \
             ORDER BY last_seen_at DESC, origin LIMIT $2)";

    LIST_INSTALLATIONS = "\
        SELECT origin, first_seen_at, last_seen_at FROM installation \
        WHERE project = $1 ORDER BY last_seen_at DESC, origin";
}
