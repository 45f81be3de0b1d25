//! What becomes of the resources of drafts.

statements! {
    /// One that comes back was created when it was.
    PUT_RESOURCE_STAMP = "\
        INSERT INTO resource_stamp (project, resource, created_at, updated_at, updated_by) \
        VALUES ($1, $2, $3, $4, $5) \
        ON CONFLICT (project, resource) DO UPDATE \
        SET updated_at = excluded.updated_at, updated_by = excluded.updated_by, \
            live_updated_at = CASE $6 WHEN 'as_before' THEN resource_stamp.updated_at \
                WHEN 'as_now' THEN excluded.updated_at ELSE resource_stamp.live_updated_at END, \
            live_updated_by = CASE $6 WHEN 'as_before' THEN resource_stamp.updated_by \
                WHEN 'as_now' THEN excluded.updated_by ELSE resource_stamp.live_updated_by END";

    /// What is live is an earlier state: when that was made is not known here.
    FORGET_LIVE_STAMPS = "\
        UPDATE resource_stamp SET live_updated_at = NULL, live_updated_by = NULL \
        WHERE project = $1 AND live_updated_at IS NOT NULL";

    ADD_RESOURCE_CHANGE = "\
        INSERT INTO resource_change \
            (project, resource, draft_version, kind, changed_at, changed_by, fields) \
        VALUES ($1, $2, $3, $4, $5, $6, $7)";

    LIST_RESOURCE_STAMPS = "\
        SELECT resource, created_at, updated_at, updated_by, live_updated_at, live_updated_by \
        FROM resource_stamp WHERE project = $1";

    LIST_RESOURCE_CHANGES = "\
        SELECT kind, changed_at, changed_by, fields FROM resource_change \
        WHERE project = $1 AND resource = $2 ORDER BY draft_version DESC LIMIT $3 OFFSET $4";

    COUNT_RESOURCE_CHANGES =
        "SELECT COUNT(*) FROM resource_change WHERE project = $1 AND resource = $2";

    /// Changes of the draft and publications in one list. Of both at one moment, the publication came later. Only what the page shows is
    /// read in full.
    LIST_PROJECT_HISTORY = "\
        SELECT resource, kind, changed_at, changed_by, number, restored_from, message, \
            COALESCE((SELECT fields FROM resource_change \
                WHERE project = $1 AND resource = entry.resource AND draft_version = entry.number), '') \
        FROM (SELECT resource, kind, changed_at, changed_by, number, restored_from, message FROM ( \
            SELECT resource, kind, changed_at, changed_by, draft_version AS number, \
                CAST(NULL AS BIGINT) AS restored_from, '' AS message \
            FROM resource_change WHERE project = $1 AND (resource <> 'project' OR fields <> $2) \
            UNION ALL \
            SELECT 'revision', 'published', created_at, author, number, restored_from, message \
            FROM revision WHERE project = $1 \
        ) AS every WHERE (CAST($3 AS TEXT) = '' OR resource = $3 OR resource LIKE $3 || ' %') \
            AND (CAST($4 AS TEXT) = '' OR changed_by = $4) AND changed_at >= $5 AND changed_at < $6 \
            ORDER BY changed_at DESC, CASE kind WHEN 'published' THEN 0 ELSE 1 END, number DESC, resource \
            LIMIT $7 OFFSET $8) AS entry \
        ORDER BY changed_at DESC, CASE kind WHEN 'published' THEN 0 ELSE 1 END, number DESC, resource";

    COUNT_PROJECT_HISTORY = "\
        SELECT COUNT(*) FROM ( \
            SELECT resource, changed_at, changed_by FROM resource_change WHERE project = $1 AND (resource <> 'project' OR fields <> $2) \
            UNION ALL \
            SELECT 'revision', created_at, author FROM revision WHERE project = $1 \
        ) AS every WHERE (CAST($3 AS TEXT) = '' OR resource = $3 OR resource LIKE $3 || ' %') \
            AND (CAST($4 AS TEXT) = '' OR changed_by = $4) AND changed_at >= $5 AND changed_at < $6";
}
