//! Webhooks, what is announced to them, and which results were.

statements! {
    /// One row, or none where $15 webhooks of the project are there already.
    ADD_WEBHOOK = "\
        INSERT INTO webhook (id, project, url, description, events, is_enabled, off_because, nonce, former_nonce, \
            former_until, made_by, made_at, version, member) \
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14 \
        WHERE (SELECT COUNT(*) FROM webhook WHERE project = $2) < $15";

    FIND_WEBHOOK = "\
        SELECT id, project, url, description, events, is_enabled, off_because, nonce, former_nonce, former_until, \
            made_by, made_at, version, member \
        FROM webhook WHERE id = $1";

    LIST_WEBHOOKS = "\
        SELECT id, project, url, description, events, is_enabled, off_because, nonce, former_nonce, former_until, \
            made_by, made_at, version, member \
        FROM webhook WHERE project = $1 ORDER BY made_at, id";

    /// As long as it is as it was seen.
    CHANGE_WEBHOOK = "\
        UPDATE webhook SET url = $1, description = $2, events = $3, is_enabled = $4, off_because = $5, nonce = $6, \
            former_nonce = $7, former_until = $8, member = $9, version = version + 1 \
        WHERE id = $10 AND project = $11 AND version = $12";

    /// As long as its requests go where one was answered so.
    SWITCH_OFF_WEBHOOK = "\
        UPDATE webhook SET is_enabled = 0, off_because = $1, version = version + 1 \
        WHERE id = $2 AND url = $3 AND is_enabled = 1";

    SWITCH_OFF_WEBHOOKS_OF_MEMBER = "\
        UPDATE webhook SET is_enabled = 0, off_because = $1, version = version + 1 \
        WHERE member = $2 AND is_enabled = 1 RETURNING id, project";

    REMOVE_WEBHOOK = "DELETE FROM webhook WHERE id = $1 AND project = $2";

    REMOVE_DELIVERIES = "DELETE FROM webhook_delivery WHERE webhook = $1";

    REMOVE_EARLIER_ATTEMPTS = "DELETE FROM earlier_webhook_attempt WHERE webhook = $1";

    LIST_ANNOUNCING_PROJECTS = "SELECT DISTINCT project FROM webhook WHERE is_enabled = 1 ORDER BY project";

    /// To every webhook of the project that wants such events.
    ANNOUNCE = "\
        INSERT INTO webhook_delivery \
            (webhook, message, event, body, made_at, due_at, leased_until, attempts, outcome, answer) \
        SELECT id, $1, CAST($2 AS TEXT), $3, $4, $4, 0, 0, 'due', '' FROM webhook \
        WHERE project = $5 AND is_enabled = 1 \
            AND (events = '' OR ' ' || events || ' ' LIKE '% ' || CAST($2 AS TEXT) || ' %')";

    /// To this webhook, whichever events it wants.
    ANNOUNCE_TO_ONE = "\
        INSERT INTO webhook_delivery \
            (webhook, message, event, body, made_at, due_at, leased_until, attempts, outcome, answer) \
        SELECT id, $1, $2, $3, $4, $4, 0, 0, 'due', '' FROM webhook WHERE id = $5 AND is_enabled = 1";

    NOTE_ANNOUNCED_RESULT = "\
        INSERT INTO announced_result (project, experiment, event, announced_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (project, experiment, event) DO NOTHING";

    /// A lease that ends before the delivery is due is a receiver's wish: nothing is sent to its webhook until then.
    LIST_DELIVERIES = "\
        SELECT webhook, message, event, body, made_at, due_at, attempts, outcome, attempted_at, status, took_ms, answer, \
            CASE WHEN leased_until > 0 AND (due_at IS NULL OR due_at >= leased_until) THEN leased_until END \
        FROM webhook_delivery WHERE webhook = $1 ORDER BY made_at DESC, message LIMIT $2 OFFSET $3";

    COUNT_DELIVERIES = "SELECT COUNT(*) FROM webhook_delivery WHERE webhook = $1";

    FIND_DELIVERY = "\
        SELECT webhook, message, event, body, made_at, due_at, attempts, outcome, attempted_at, status, took_ms, answer, \
            CASE WHEN leased_until > 0 AND (due_at IS NULL OR due_at >= leased_until) THEN leased_until END \
        FROM webhook_delivery WHERE webhook = $1 AND message = $2";

    /// Unless a server is at it: a second request beside its own would be one too many. A receiver's wish ends.
    REDELIVER = "\
        UPDATE webhook_delivery SET due_at = $1, leased_until = 0, attempts = 0, outcome = 'due' \
        WHERE webhook = $2 AND message = $3 AND (leased_until <= $1 OR due_at IS NULL OR due_at >= leased_until) \
            AND EXISTS (SELECT 1 FROM webhook WHERE id = $2 AND is_enabled = 1)";

    /// When the next delivery can be claimed: at once, where it is said to wait longer than it may.
    NEXT_DELIVERY = "\
        SELECT MIN(CASE WHEN due_at > $1 OR leased_until > $2 THEN 0 WHEN leased_until > due_at THEN leased_until \
            ELSE due_at END) \
        FROM webhook_delivery JOIN webhook ON webhook.id = webhook_delivery.webhook \
        WHERE due_at IS NOT NULL AND is_enabled = 1";

    /// Written while the clock was ahead.
    END_FAR_LEASES = "UPDATE webhook_delivery SET leased_until = 0 WHERE leased_until > 0 AND leased_until > $1";

    /// The same.
    BRING_FORWARD = "UPDATE webhook_delivery SET due_at = $1 WHERE due_at > $2";

    /// The oldest of each webhook, and so many of a project at a time, so that receivers which do not answer keep no others waiting. Of two
    /// servers that want the same delivery, the second waits for the first, and then finds it leased.
    CLAIM_DELIVERIES = "\
        UPDATE webhook_delivery SET leased_until = $1, attempts = attempts + 1 \
        WHERE due_at <= $2 AND leased_until <= $2 AND (webhook, message) IN ( \
            SELECT webhook, message FROM ( \
                SELECT webhook, message, due_at, COALESCE(busy, 0) + ROW_NUMBER() OVER \
                    (PARTITION BY project ORDER BY due_at, webhook) AS place_in_project \
                FROM ( \
                    SELECT waiting.webhook, waiting.message, waiting.due_at, webhook.project, ROW_NUMBER() OVER \
                        (PARTITION BY waiting.webhook ORDER BY waiting.due_at, waiting.made_at, waiting.message) AS place \
                    FROM webhook_delivery AS waiting JOIN webhook ON webhook.id = waiting.webhook \
                    WHERE waiting.due_at <= $2 AND webhook.is_enabled = 1 AND NOT EXISTS ( \
                        SELECT 1 FROM webhook_delivery AS busy \
                        WHERE busy.webhook = waiting.webhook AND busy.leased_until > $2)) AS first \
                LEFT JOIN ( \
                    SELECT webhook.project AS busy_project, COUNT(*) AS busy \
                    FROM webhook_delivery AS leased JOIN webhook ON webhook.id = leased.webhook \
                    WHERE leased.due_at IS NOT NULL AND leased.leased_until > $2 AND leased.due_at < leased.leased_until \
                    GROUP BY webhook.project) AS working ON busy_project = project \
                WHERE place = 1) AS fair \
            WHERE place_in_project <= $3 ORDER BY due_at, webhook LIMIT $4) \
        RETURNING webhook, message, event, body, made_at, due_at, attempts, outcome, attempted_at, status, took_ms, answer, \
            CAST(NULL AS BIGINT)";

    /// Unless the lease is over: see `SETTLE_DELIVERY`.
    KEEP_LAST_ATTEMPT = "\
        INSERT INTO earlier_webhook_attempt (webhook, message, attempted_at, status, took_ms, answer) \
        SELECT webhook, message, attempted_at, status, took_ms, answer FROM webhook_delivery \
        WHERE webhook = $1 AND message = $2 AND leased_until = $3 AND attempted_at IS NOT NULL \
        ON CONFLICT (webhook, message, attempted_at) DO NOTHING";

    /// Of the deliveries of `LIST_DELIVERIES`: the newest first, and so many of each.
    LIST_EARLIER_ATTEMPTS = "\
        SELECT message, attempted_at, status, took_ms, answer FROM ( \
            SELECT message, attempted_at, status, took_ms, answer, ROW_NUMBER() OVER \
                (PARTITION BY message ORDER BY attempted_at DESC) AS place \
            FROM earlier_webhook_attempt WHERE webhook = $1 AND message IN ( \
                SELECT message FROM webhook_delivery WHERE webhook = $1 \
                ORDER BY made_at DESC, message LIMIT $2 OFFSET $3)) AS numbered \
        WHERE place <= $4 ORDER BY attempted_at DESC";

    FIND_EARLIER_ATTEMPTS = "\
        SELECT message, attempted_at, status, took_ms, answer FROM earlier_webhook_attempt \
        WHERE webhook = $1 AND message = $2 ORDER BY attempted_at DESC LIMIT $3";

    /// Webhooks that get nothing for now, as their receivers asked for; a later end of the same comes later. `CROSS JOIN` has SQLite begin with
    /// the few deliveries that the index has.
    LIST_HOLDS = "\
        SELECT webhook, leased_until FROM webhook_delivery CROSS JOIN webhook \
        WHERE webhook.id = webhook_delivery.webhook AND project = $1 AND leased_until > 0 AND leased_until > $2 \
            AND (due_at IS NULL OR due_at >= leased_until) ORDER BY leased_until";

    /// Unless the lease is over.
    SETTLE_DELIVERY = "\
        UPDATE webhook_delivery SET due_at = $1, leased_until = $2, outcome = $3, attempted_at = $4, status = $5, \
            took_ms = $6, answer = $7 \
        WHERE webhook = $8 AND message = $9 AND leased_until = $10";
}
