//! Invitations.

statements! {
    /// One row, or none where $11 invitations wait already.
    ADD_INVITATION = "\
        INSERT INTO invitation \
            (id, hash, email, project, role, code, member, made_by, made_at, expires_at) \
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 \
        WHERE (SELECT COUNT(*) FROM invitation WHERE expires_at > $9) < $11";

    COUNT_INVITATIONS_TO_PLACE =
        "SELECT COUNT(*) FROM invitation WHERE project = $1 AND expires_at > $2";

    FIND_INVITATION = "\
        SELECT id, email, project, role, code, member, made_by, made_at, expires_at \
        FROM invitation WHERE hash = $1";

    LOOKUP_INVITATION = "\
        SELECT id, email, project, role, code, member, made_by, made_at, expires_at \
        FROM invitation WHERE id = $1";

    LIST_INVITATIONS = "\
        SELECT id, email, project, role, code, member, made_by, made_at, expires_at \
        FROM invitation ORDER BY made_at DESC, id LIMIT $1 OFFSET $2";

    /// Those to projects in which a member is an admin or owner.
    LIST_INVITATIONS_SEEN_BY = "\
        SELECT id, email, project, role, code, member, made_by, made_at, expires_at \
        FROM invitation WHERE project <> -1 AND project IN \
            (SELECT project FROM member_role WHERE member = $1 AND role IN ('admin', 'owner')) \
        ORDER BY made_at DESC, id LIMIT $2 OFFSET $3";

    REMOVE_INVITATION = "DELETE FROM invitation WHERE id = $1";

    /// Of two who accept at once, one does.
    TAKE_INVITATION = "DELETE FROM invitation WHERE id = $1 AND expires_at > $2";

    /// Those that are of no use to a member who got a role in this place.
    REMOVE_INVITATIONS_OF_ADDRESS = "DELETE FROM invitation WHERE email = $1 AND project IN (-1, $2)";

    REMOVE_ALL_INVITATIONS = "DELETE FROM invitation";
}
