//! Preview links.

statements! {
    /// One row, or none where $11 links of the project work already.
    ADD_PREVIEW_LINK = "\
        INSERT INTO preview_link \
            (id, project, url, variations, is_switchable, is_draft, member, made_by, made_at, expires_at) \
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 \
        WHERE (SELECT COUNT(*) FROM preview_link \
            WHERE project = $2 AND revoked_at IS NULL AND expires_at > $9) < $11";

    /// All ended links of a project but the newest $3.
    DELETE_ENDED_PREVIEW_LINKS = "\
        DELETE FROM preview_link WHERE id IN ( \
            SELECT id FROM preview_link \
            WHERE project = $1 AND (revoked_at IS NOT NULL OR expires_at <= $2) \
            ORDER BY made_at DESC, id LIMIT 1000 OFFSET $3)";

    FIND_PREVIEW_LINK = "\
        SELECT id, project, url, variations, is_switchable, is_draft, member, made_by, made_at, \
            expires_at, revoked_at, last_opened_at \
        FROM preview_link WHERE id = $1";

    LIST_PREVIEW_LINKS = "\
        SELECT id, project, url, variations, is_switchable, is_draft, member, made_by, made_at, \
            expires_at, revoked_at, last_opened_at \
        FROM preview_link WHERE project = $1 ORDER BY made_at DESC, id";

    REVOKE_PREVIEW_LINK = "\
        UPDATE preview_link SET revoked_at = $1 \
        WHERE project = $2 AND id = $3 AND revoked_at IS NULL";

    HAS_PREVIEW_LINK = "SELECT 1 FROM preview_link WHERE project = $1 AND id = $2";

    REVOKE_ALL_PREVIEW_LINKS = "\
        UPDATE preview_link SET revoked_at = $1 WHERE revoked_at IS NULL";

    NOTE_PREVIEW_LINK_OPENED = "\
        UPDATE preview_link SET last_opened_at = $1 \
        WHERE id = $2 AND (last_opened_at IS NULL OR last_opened_at <= $3)";
}
