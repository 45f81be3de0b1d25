-- The attempts to deliver that came before the last one, which `webhook_delivery` has. Each is younger than its delivery, and goes after it.
CREATE TABLE earlier_webhook_attempt (
    webhook TEXT NOT NULL,
    message TEXT NOT NULL,
    attempted_at BIGINT NOT NULL,
    status BIGINT,
    took_ms BIGINT NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (webhook, message, attempted_at)
);
CREATE INDEX earlier_webhook_attempt_attempted_at ON earlier_webhook_attempt (attempted_at);
