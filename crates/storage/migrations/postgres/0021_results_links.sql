-- Links that show the results of a campaign to whoever has them. `hash` is that of the link's token. `member` made it, or an operator at the
-- terminal, who is 0. A row goes when the link is revoked, or after it expired.
CREATE TABLE results_link (
    id TEXT NOT NULL PRIMARY KEY,
    hash BYTEA NOT NULL UNIQUE,
    project BIGINT NOT NULL,
    campaign BIGINT NOT NULL,
    member BIGINT NOT NULL,
    made_by TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX results_link_project ON results_link (project);
CREATE INDEX results_link_expires_at ON results_link (expires_at);
