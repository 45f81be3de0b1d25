//! Members with their roles.

statements! {
    ADD_ROLE = "INSERT INTO member_role (member, project, role, code) VALUES ($1, $2, $3, $4)";

    /// For a service also when its token expires, which it has long ago if there is none.
    FIND_ROLES = "\
        SELECT granted.project, granted.role, granted.code, CASE WHEN member.is_service = 1 THEN \
            (SELECT COALESCE(MAX(token.expires_at), 0) FROM api_token AS token WHERE token.member = member.id) END \
        FROM member_role AS granted JOIN member ON member.id = granted.member \
        WHERE granted.member = $1 ORDER BY granted.project";

    REMOVE_ROLES = "DELETE FROM member_role WHERE member = $1";

    /// A service does not count: no person signs in as one.
    COUNT_OTHER_OWNERS = "\
        SELECT COUNT(*) FROM member_role JOIN member ON member.id = member_role.member \
        WHERE project = -1 AND role = 'owner' AND member <> $1 AND is_service = 0";

    /// A row for each role, or one row without a role.
    LOOKUP_MEMBER_LINE = "\
        SELECT member.id, member.email, member.created_at, granted.project, granted.role, granted.code, \
            member.vouched_by, voucher.email \
        FROM member LEFT JOIN member_role AS granted ON granted.member = member.id \
            LEFT JOIN member AS voucher ON voucher.id = member.vouched_by \
        WHERE member.id = $1 AND member.is_service = 0 \
        ORDER BY granted.project";

    /// The rows of each member as above.
    LIST_MEMBERS = "\
        SELECT member.id, member.email, member.created_at, granted.project, granted.role, granted.code, \
            member.vouched_by, voucher.email \
        FROM (SELECT * FROM member WHERE is_service = 0 ORDER BY email LIMIT $1 OFFSET $2) AS member \
            LEFT JOIN member_role AS granted ON granted.member = member.id \
            LEFT JOIN member AS voucher ON voucher.id = member.vouched_by \
        ORDER BY member.email, granted.project";

    /// The same of those who reach a project in which a member is an admin or owner.
    LIST_MEMBERS_SEEN_BY = "\
        SELECT member.id, member.email, member.created_at, granted.project, granted.role, granted.code, \
            member.vouched_by, voucher.email \
        FROM (SELECT * FROM member WHERE is_service = 0 AND id IN (SELECT member FROM member_role \
                WHERE project = -1 OR project IN (SELECT project FROM member_role \
                    WHERE member = $1 AND role IN ('admin', 'owner'))) \
            ORDER BY email LIMIT $2 OFFSET $3) AS member \
            LEFT JOIN member_role AS granted ON granted.member = member.id \
            LEFT JOIN member AS voucher ON voucher.id = member.vouched_by \
        ORDER BY member.email, granted.project";

    REMOVE_MEMBER = "DELETE FROM member WHERE id = $1";

    LIST_PROJECTS_OF_MEMBER = "\
        SELECT draft_version, live_revision, managed_by, id, key, name, is_archived, \
            stamp.created_at, stamp.updated_at, stamp.updated_by \
        FROM member_role JOIN project ON project.id = member_role.project \
        LEFT JOIN resource_stamp AS stamp ON stamp.project = project.id AND stamp.resource = 'project' \
        WHERE member_role.member = $1 AND is_archived BETWEEN $2 AND $3 ORDER BY id LIMIT $4 OFFSET $5";

    HAS_PROJECT = "SELECT 1 FROM project WHERE id = $1";
}
