//! How many rows there are.

statements! {
    COUNT_PROJECTS = "SELECT COUNT(*) FROM project WHERE is_archived BETWEEN $1 AND $2";

    COUNT_PROJECTS_OF_MEMBER = "\
        SELECT COUNT(*) FROM member_role JOIN project ON project.id = member_role.project \
        WHERE member_role.member = $1 AND is_archived BETWEEN $2 AND $3";

    COUNT_REVISIONS = "SELECT COUNT(*) FROM revision WHERE project = $1";

    COUNT_MEMBERS = "SELECT COUNT(*) FROM member WHERE is_service = 0";

    COUNT_MEMBERS_SEEN_BY = "\
        SELECT COUNT(*) FROM member WHERE is_service = 0 AND id IN (SELECT member FROM member_role \
            WHERE project = -1 OR project IN (SELECT project FROM member_role \
                WHERE member = $1 AND role IN ('admin', 'owner')))";

    COUNT_CLIENTS = "SELECT COUNT(*) FROM client";

    /// The first value is 1 for those of services alone, else 0.
    COUNT_API_TOKENS = "\
        SELECT COUNT(*) FROM api_token WHERE member IN (SELECT id FROM member WHERE is_service >= $1)";

    COUNT_API_TOKENS_OF_MEMBER = "SELECT COUNT(*) FROM api_token WHERE member = $1";

    COUNT_API_TOKENS_SEEN_BY = "\
        SELECT COUNT(*) FROM api_token WHERE member IN (SELECT id FROM member WHERE is_service >= $1) \
            AND (member = $2 OR member IN (SELECT reaching.member \
                FROM member_role AS reaching JOIN member AS holder ON holder.id = reaching.member \
                WHERE holder.is_service = 1 AND (reaching.project = -1 OR reaching.project IN \
                    (SELECT project FROM member_role WHERE member = $2 AND role IN ('admin', 'owner')))))";
}
