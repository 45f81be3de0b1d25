//! API tokens, and the services that some are for.

statements! {
    ADD_SERVICE = "\
        INSERT INTO member (email, password_hash, is_password_temporary, is_service, created_at) \
        VALUES ($1, '', 0, 1, $2) RETURNING id";

    ADD_API_TOKEN = "\
        INSERT INTO api_token (id, hash, member, name, scope, made_by, made_at, expires_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";

    COUNT_API_TOKENS_OF = "SELECT COUNT(*) FROM api_token WHERE member = $1 AND expires_at > $2";

    COUNT_SERVICES_MADE_BY = "\
        SELECT COUNT(*) FROM api_token AS token JOIN member ON member.id = token.member \
        WHERE token.made_by = $1 AND token.expires_at > $2 AND member.is_service = 1";

    FIND_API_TOKEN = "SELECT id, member, scope, expires_at, last_used_at FROM api_token WHERE hash = $1";

    NOTE_API_TOKEN_USED = "UPDATE api_token SET last_used_at = $1 WHERE id = $2";

    /// A row for each role of a service, or one row without a role.
    LOOKUP_API_TOKEN = "\
        SELECT token.id, token.name, member.id, member.email, member.is_service, token.scope, token.made_by, \
            token.made_at, token.expires_at, token.last_used_at, granted.project, granted.role, granted.code \
        FROM api_token AS token \
            JOIN member ON member.id = token.member \
            LEFT JOIN member_role AS granted ON granted.member = member.id AND member.is_service = 1 \
        WHERE token.id = $1 ORDER BY granted.project";

    /// The rows of each token as above. The first value is 1 for those of services alone, else 0.
    LIST_API_TOKENS = "\
        SELECT token.id, token.name, member.id, member.email, member.is_service, token.scope, token.made_by, \
            token.made_at, token.expires_at, token.last_used_at, granted.project, granted.role, granted.code \
        FROM (SELECT * FROM api_token WHERE member IN (SELECT id FROM member WHERE is_service >= $1) \
            ORDER BY made_at DESC, id LIMIT $2 OFFSET $3) AS token \
            JOIN member ON member.id = token.member \
            LEFT JOIN member_role AS granted ON granted.member = member.id AND member.is_service = 1 \
        ORDER BY token.made_at DESC, token.id, granted.project";

    /// The same of one member.
    LIST_API_TOKENS_OF_MEMBER = "\
        SELECT token.id, token.name, member.id, member.email, member.is_service, token.scope, token.made_by, \
            token.made_at, token.expires_at, token.last_used_at, granted.project, granted.role, granted.code \
        FROM (SELECT * FROM api_token WHERE member = $1 ORDER BY made_at DESC, id LIMIT $2 OFFSET $3) AS token \
            JOIN member ON member.id = token.member \
            LEFT JOIN member_role AS granted ON granted.member = member.id AND member.is_service = 1 \
        ORDER BY token.made_at DESC, token.id, granted.project";

    /// The same of what an admin or owner of some projects sees: their own, and those of services that reach these projects.
    LIST_API_TOKENS_SEEN_BY = "\
        SELECT token.id, token.name, member.id, member.email, member.is_service, token.scope, token.made_by, \
            token.made_at, token.expires_at, token.last_used_at, granted.project, granted.role, granted.code \
        FROM (SELECT * FROM api_token WHERE member IN (SELECT id FROM member WHERE is_service >= $1) \
                AND (member = $2 OR member IN (SELECT reaching.member \
                    FROM member_role AS reaching JOIN member AS holder ON holder.id = reaching.member \
                    WHERE holder.is_service = 1 AND (reaching.project = -1 OR reaching.project IN \
                        (SELECT project FROM member_role WHERE member = $2 AND role IN ('admin', 'owner'))))) \
            ORDER BY made_at DESC, id LIMIT $3 OFFSET $4) AS token \
            JOIN member ON member.id = token.member \
            LEFT JOIN member_role AS granted ON granted.member = member.id AND member.is_service = 1 \
        ORDER BY token.made_at DESC, token.id, granted.project";

    REMOVE_API_TOKEN = "DELETE FROM api_token WHERE id = $1 RETURNING hash, member";

    /// If it is the role of a service.
    WITHDRAW_SERVICE_ROLE = "\
        DELETE FROM member_role WHERE project = $1 AND role = $2 AND code = $3 AND member IN \
            (SELECT token.member FROM api_token AS token JOIN member ON member.id = token.member \
                WHERE token.id = $4 AND member.is_service = 1) \
        RETURNING member";

    COUNT_ROLES = "SELECT COUNT(*) FROM member_role WHERE member = $1";

    REMOVE_SERVICE = "DELETE FROM member WHERE id = $1 AND is_service = 1";

    REMOVE_API_TOKENS_OF_MEMBER = "DELETE FROM api_token WHERE member = $1 RETURNING id, name";

    /// Those whose token expired so long ago that it is not kept any more.
    REMOVE_SERVICES_WITHOUT_TOKEN = "\
        DELETE FROM member WHERE is_service = 1 AND id NOT IN (SELECT member FROM api_token)";

    REMOVE_ALL_SERVICES = "DELETE FROM member WHERE is_service = 1";

    REMOVE_ALL_API_TOKENS = "DELETE FROM api_token";
}
