//! The end of projects.

statements! {
    /// An answer does not tell of which project it is: the id in it does, in an address, or as a JSON text within a JSON text, where a backslash is
    /// before the quote.
    DELETE_ANSWERS_OF_PROJECT = "\
        DELETE FROM idempotent_answer WHERE answer LIKE '%\"' || CAST(CAST($1 AS BIGINT) AS TEXT) || '_\"%' \
            OR answer LIKE '%/projects/' || CAST(CAST($1 AS BIGINT) AS TEXT) || '/%' \
            OR answer LIKE '%/projects/' || CAST(CAST($1 AS BIGINT) AS TEXT) || '\"%'";

    DELETE_EARLIER_ATTEMPTS_OF_PROJECT = "\
        DELETE FROM earlier_webhook_attempt WHERE webhook IN (SELECT id FROM webhook WHERE project = $1)";

    DELETE_DELIVERIES_OF_PROJECT = "\
        DELETE FROM webhook_delivery WHERE webhook IN (SELECT id FROM webhook WHERE project = $1)";

    DELETE_WEBHOOKS_OF_PROJECT = "DELETE FROM webhook WHERE project = $1";

    DELETE_ANNOUNCED_RESULTS_OF_PROJECT = "DELETE FROM announced_result WHERE project = $1";

    DELETE_SENT_EVENT_FILES_OF_PROJECT = "DELETE FROM sent_event_file WHERE project = $1";

    DELETE_LOST_EVENT_DAYS_OF_PROJECT = "DELETE FROM lost_event_day WHERE project = $1";

    DELETE_EVENT_LOG_OF_PROJECT = "DELETE FROM event_log WHERE project = $1";

    DELETE_EVENTS_KEY_OF_PROJECT = "DELETE FROM events_key WHERE project = $1";

    DELETE_RESULTS_LINKS_OF_PROJECT = "DELETE FROM results_link WHERE project = $1";

    DELETE_PREVIEW_LINKS_OF_PROJECT = "DELETE FROM preview_link WHERE project = $1";

    DELETE_INSTALLATIONS_OF_PROJECT = "DELETE FROM installation WHERE project = $1";

    DELETE_MOMENTS_OF_PROJECT = "DELETE FROM scheduled_moment WHERE project = $1";

    DELETE_CHANGES_OF_PROJECT = "DELETE FROM resource_change WHERE project = $1";

    DELETE_STAMPS_OF_PROJECT = "DELETE FROM resource_stamp WHERE project = $1";

    DELETE_DRAFT_SOURCE_OF_PROJECT = "DELETE FROM draft_source WHERE project = $1";

    DELETE_INVITATIONS_OF_PROJECT = "DELETE FROM invitation WHERE project = $1";

    DELETE_REVISIONS_OF_PROJECT = "DELETE FROM revision WHERE project = $1";

    DELETE_ROLES_OF_PROJECT = "DELETE FROM member_role WHERE project = $1";

    /// The tokens of services that have a role in this project and none elsewhere.
    LIST_TOKENS_OF_SERVICES_OF_PROJECT = "\
        SELECT token.member, token.id, token.name FROM api_token AS token JOIN member ON member.id = token.member \
        WHERE member.is_service = 1 \
            AND EXISTS (SELECT 1 FROM member_role WHERE member = token.member AND project = $1) \
            AND NOT EXISTS (SELECT 1 FROM member_role WHERE member = token.member AND project <> $1) \
        ORDER BY token.id";

    /// With their tokens and roles.
    DELETE_SERVICES_OF_PROJECT = "\
        DELETE FROM member WHERE is_service = 1 \
            AND EXISTS (SELECT 1 FROM member_role WHERE member = member.id AND project = $1) \
            AND NOT EXISTS (SELECT 1 FROM member_role WHERE member = member.id AND project <> $1)";

    DELETE_EVENT_FILES_OF_PROJECT = "DELETE FROM event_file WHERE project = $1 RETURNING name";

    DELETE_PROJECT = "DELETE FROM project WHERE id = $1";

    KEEP_ID_TAKEN = "INSERT INTO deleted_project (id, deleted_at) VALUES ($1, $2)";
}

/// What goes of a project, in an order in which no row is left that refers to one that is gone. [`MEMBERS_OF_PROJECT`], files of events and the
/// project itself go after these.
pub(crate) const OF_PROJECT: [&str; 17] = [
    DELETE_ANSWERS_OF_PROJECT,
    DELETE_EARLIER_ATTEMPTS_OF_PROJECT,
    DELETE_DELIVERIES_OF_PROJECT,
    DELETE_WEBHOOKS_OF_PROJECT,
    DELETE_ANNOUNCED_RESULTS_OF_PROJECT,
    DELETE_SENT_EVENT_FILES_OF_PROJECT,
    DELETE_LOST_EVENT_DAYS_OF_PROJECT,
    DELETE_EVENT_LOG_OF_PROJECT,
    DELETE_EVENTS_KEY_OF_PROJECT,
    DELETE_RESULTS_LINKS_OF_PROJECT,
    DELETE_PREVIEW_LINKS_OF_PROJECT,
    DELETE_INSTALLATIONS_OF_PROJECT,
    DELETE_MOMENTS_OF_PROJECT,
    DELETE_CHANGES_OF_PROJECT,
    DELETE_STAMPS_OF_PROJECT,
    DELETE_DRAFT_SOURCE_OF_PROJECT,
    DELETE_REVISIONS_OF_PROJECT,
];

/// Who may do what in it, and may come to do so.
pub(crate) const MEMBERS_OF_PROJECT: [&str; 3] =
    [DELETE_SERVICES_OF_PROJECT, DELETE_INVITATIONS_OF_PROJECT, DELETE_ROLES_OF_PROJECT];
