//! Events that pages and servers sent.

statements! {
    LOG_EVENTS = "\
        INSERT INTO event_log (project, received_at, last_at, events, body) VALUES ($1, $2, $3, $4, $5)";

    /// Rows until those before make up so many bytes.
    LIST_LOGGED_EVENTS = "\
        SELECT id, body FROM \
            (SELECT id, body, sum(length(body)) OVER (ORDER BY id) - length(body) AS bytes_before \
             FROM (SELECT id, body FROM event_log WHERE project = $1 AND id > $2 \
                   ORDER BY id LIMIT 4096) AS waiting) AS weighed \
        WHERE bytes_before < CAST($3 AS BIGINT) ORDER BY id";

    /// The same for who stops reading there. No more rows than one commit may delete while others wait for it.
    LIST_LOGGED_EVENTS_ONE_BY_ONE = "\
        SELECT id, body FROM event_log WHERE project = $1 AND id > $2 ORDER BY id LIMIT 4096";

    LIST_LOG_BETWEEN = "\
        SELECT id FROM event_log WHERE project = $1 AND id BETWEEN $2 AND $3 ORDER BY id";

    TAKE_LOG_BETWEEN = "DELETE FROM event_log WHERE project = $1 AND id BETWEEN $2 AND $3";

    LIST_EVENT_LOGS = "\
        SELECT project, min(received_at), CAST(sum(length(body)) AS BIGINT) FROM event_log \
        GROUP BY project ORDER BY project";

    LIST_EVENT_FILES = "\
        SELECT name, day, events, bytes, first_at, last_at, received_until, sealed_at \
        FROM event_file WHERE project = $1 ORDER BY day, name";

    LIST_PROJECTS_WITH_EVENT_FILES = "SELECT DISTINCT project FROM event_file ORDER BY project";

    TAKE_FROM_LOG = "DELETE FROM event_log WHERE project = $1 AND id = $2";

    TAKE_EVENT_FILE = "DELETE FROM event_file WHERE project = $1 AND name = $2";

    /// A file is called by its contents, so one of this name has the same.
    ADD_EVENT_FILE = "\
        INSERT INTO event_file (project, name, day, events, bytes, first_at, last_at, received_until, sealed_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (project, name) DO NOTHING";

    ADD_LOST_EVENT_DAY = "\
        INSERT INTO lost_event_day (project, day, events, received_until) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (project, day) DO UPDATE SET events = lost_event_day.events + excluded.events, \
            received_until = CASE WHEN excluded.received_until > lost_event_day.received_until \
                THEN excluded.received_until ELSE lost_event_day.received_until END";

    LIST_LOST_EVENT_DAYS = "\
        SELECT day, events, received_until FROM lost_event_day WHERE project = $1 ORDER BY day";

    LIST_SENT_EVENT_FILES = "SELECT name FROM sent_event_file WHERE sink = $1 AND project = $2";

    /// Nothing, if the file is not listed any more.
    ADD_SENT_EVENT_FILE = "\
        INSERT INTO sent_event_file (sink, project, name) \
        SELECT $1, project, name FROM event_file WHERE project = $2 AND name = $3 \
        ON CONFLICT (project, name, sink) DO NOTHING";

    LIST_SINKS_OF_EVENT_FILE = "SELECT sink FROM sent_event_file WHERE project = $1 AND name = $2";

    FORGET_SENT_EVENT_FILE = "DELETE FROM sent_event_file WHERE project = $1 AND name = $2";

    DELETE_LOGGED_EVENTS = "\
        DELETE FROM event_log WHERE id IN \
            (SELECT id FROM event_log WHERE received_at < $1 OR last_at < $1 ORDER BY id LIMIT CAST($2 AS BIGINT))";

    WEIGH_EVENTS = "\
        SELECT CAST(COALESCE(sum(events), 0) AS BIGINT), max(received_at) FROM \
            (SELECT events, received_at FROM event_log WHERE project = $1 \
             UNION ALL SELECT events, received_until FROM event_file WHERE project = $1) AS both_of_them";
}
