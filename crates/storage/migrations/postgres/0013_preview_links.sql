-- Preview links, until a while after they end. Each is found by its `id`, which its token carries; the token itself is not kept.
-- `variations` are ids with spaces between them; with `is_switchable`, all variations of their experiments may be looked at. `member` made
-- it, or an operator at the terminal, who is 0. `last_opened_at` is known to an hour.
CREATE TABLE preview_link (
    id TEXT NOT NULL PRIMARY KEY,
    project BIGINT NOT NULL REFERENCES project (id),
    url TEXT NOT NULL,
    variations TEXT NOT NULL,
    is_switchable BIGINT NOT NULL,
    is_draft BIGINT NOT NULL,
    member BIGINT NOT NULL,
    made_by TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT,
    last_opened_at BIGINT
);
CREATE INDEX preview_link_project ON preview_link (project, made_at);
CREATE INDEX preview_link_expires_at ON preview_link (expires_at);
