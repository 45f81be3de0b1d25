//! Projects and their drafts.

statements! {
    /// The id of a deleted project stays taken.
    ADD_PROJECT = "\
        INSERT INTO project (id, key, name, is_archived, draft, managed_by, live_revision) \
        SELECT $1, $2, $3, $4, $5, $6, 0 WHERE NOT EXISTS (SELECT 1 FROM deleted_project WHERE id = $1) \
        ON CONFLICT (id) DO NOTHING";

    FIND_PROJECT = "SELECT draft_version, live_revision, managed_by FROM project WHERE id = $1";

    FIND_DRAFT = "\
        SELECT draft_version, live_revision, managed_by, key, name, is_archived, draft FROM project WHERE id = $1";

    /// A length is stored before its data: nothing of the draft is read.
    DRAFT_BYTES = "SELECT octet_length(draft) FROM project WHERE id = $1";

    CHANGE_DRAFT = "\
        UPDATE project SET key = $1, name = $2, is_archived = $3, draft = $4, draft_version = draft_version + 1 \
        WHERE id = $5 AND draft_version = $6 RETURNING draft_version";

    LIST_PROJECTS = "\
        SELECT draft_version, live_revision, managed_by, id, key, name, is_archived, \
            stamp.created_at, stamp.updated_at, stamp.updated_by \
        FROM project \
        LEFT JOIN resource_stamp AS stamp ON stamp.project = project.id AND stamp.resource = 'project' \
        WHERE is_archived BETWEEN $1 AND $2 ORDER BY id LIMIT $3 OFFSET $4";

    /// Projects of earlier versions may share a key: then it is that of the first.
    FIND_PROJECT_BY_KEY = "SELECT id FROM project WHERE key = $1 ORDER BY id LIMIT 1";

    /// This project has this key.
    HAS_KEY = "SELECT id FROM project WHERE id = $1 AND key = $2";

    /// Another project has this key.
    IS_KEY_TAKEN = "SELECT id FROM project WHERE key = $1 AND id <> $2 LIMIT 1";
}
