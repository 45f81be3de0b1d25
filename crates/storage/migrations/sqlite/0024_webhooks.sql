-- Where a project announces what happens in it. `events` has the names of those that are wanted, with spaces between them: nothing is all.
-- The secret that signs is derived from the server's signing key, the id and `nonce`; until `former_until`, `former_nonce` signs as well.
-- `off_because` tells why Assay switched it off, `version` counts its changes.
CREATE TABLE webhook (
    id TEXT NOT NULL PRIMARY KEY,
    project BIGINT NOT NULL,
    url TEXT NOT NULL,
    description TEXT NOT NULL,
    events TEXT NOT NULL,
    is_enabled BIGINT NOT NULL,
    off_because TEXT NOT NULL,
    nonce TEXT NOT NULL,
    former_nonce TEXT NOT NULL,
    former_until BIGINT NOT NULL,
    made_by TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    version BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX webhook_project ON webhook (project);

-- What was announced to a webhook, and what came of it. `message` is the same in every attempt. `outcome` is `due`, `delivered` or `failed`;
-- a delivery that is due is tried at `due_at`, unless a server is at it until `leased_until`. The last four columns are those of the last attempt.
CREATE TABLE webhook_delivery (
    webhook TEXT NOT NULL,
    message TEXT NOT NULL,
    event TEXT NOT NULL,
    body TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    due_at BIGINT,
    leased_until BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    attempted_at BIGINT,
    status BIGINT,
    took_ms BIGINT,
    answer TEXT NOT NULL,
    PRIMARY KEY (webhook, message)
) WITHOUT ROWID;
CREATE INDEX webhook_delivery_due ON webhook_delivery (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_delivery_leased ON webhook_delivery (leased_until) WHERE leased_until > 0;
CREATE INDEX webhook_delivery_made_at ON webhook_delivery (made_at);

-- Which results were announced: once for each phase of an experiment, which has an id of its own.
CREATE TABLE announced_result (
    project BIGINT NOT NULL,
    experiment BIGINT NOT NULL,
    event TEXT NOT NULL,
    announced_at BIGINT NOT NULL,
    PRIMARY KEY (project, experiment, event)
) WITHOUT ROWID;
