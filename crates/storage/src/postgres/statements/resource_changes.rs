//! What becomes of the resources of drafts: those of one draft in one statement.

use crate::statements::statements;

statements! {
    /// One that comes back was created when it was.
    PUT_RESOURCE_STAMPS = "\
        INSERT INTO resource_stamp (project, resource, created_at, updated_at, updated_by) \
        SELECT $1::bigint, resource, CASE kind WHEN 'created' THEN $2::bigint END, $2, $3::text \
        FROM UNNEST($4::text[], $5::text[]) AS change (resource, kind) \
        ON CONFLICT (project, resource) DO UPDATE \
        SET updated_at = excluded.updated_at, updated_by = excluded.updated_by, \
            live_updated_at = CASE WHEN resource_stamp.resource = ANY ($6::text[]) \
                    THEN resource_stamp.updated_at \
                WHEN resource_stamp.resource = ANY ($7::text[]) THEN excluded.updated_at \
                ELSE resource_stamp.live_updated_at END, \
            live_updated_by = CASE WHEN resource_stamp.resource = ANY ($6::text[]) \
                    THEN resource_stamp.updated_by \
                WHEN resource_stamp.resource = ANY ($7::text[]) THEN excluded.updated_by \
                ELSE resource_stamp.live_updated_by END";

    ADD_RESOURCE_CHANGES = "\
        INSERT INTO resource_change \
            (project, resource, draft_version, kind, changed_at, changed_by, fields) \
        SELECT $1::bigint, resource, $2::bigint, kind, $3::bigint, $4::text, fields \
        FROM UNNEST($5::text[], $6::text[], $7::text[]) AS change (resource, kind, fields)";
}
