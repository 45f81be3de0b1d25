//! Events that pages and servers sent.

statements! {
    LOG_EVENTS = "\
        INSERT INTO event_log (project, received_at, events, body) VALUES ($1, $2, $3, $4)";

    /// Rows until those before make up so many bytes.
    LIST_LOGGED_EVENTS = "\
        SELECT id, body FROM \
            (SELECT id, body, sum(length(body)) OVER (ORDER BY id) - length(body) AS bytes_before \
             FROM (SELECT id, body FROM event_log WHERE project = $1 AND id > $2 \
                   ORDER BY id LIMIT 10000) AS waiting) AS weighed \
        WHERE bytes_before < CAST($3 AS BIGINT) ORDER BY id";

    WEIGH_EVENT_LOG = "\
        SELECT CAST(COALESCE(sum(events), 0) AS BIGINT), max(received_at) FROM event_log \
        WHERE project = $1";
}
