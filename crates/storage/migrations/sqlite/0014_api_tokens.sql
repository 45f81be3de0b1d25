-- A service is a row among members, so that roles, authorship and the audit log treat it alike: its name is in `email`, and no password
-- has the hash. It never signs in, and ends with its token.
ALTER TABLE member ADD COLUMN is_service BIGINT NOT NULL DEFAULT 0;

-- Tokens that members make for programs: personal ones, which act for the member who made them, and those of services. `hash` as in
-- `access_token`. `last_used_at` is known to an hour.
CREATE TABLE api_token (
    id TEXT NOT NULL PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    member BIGINT NOT NULL REFERENCES member (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    made_by TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    last_used_at BIGINT
) WITHOUT ROWID;
CREATE INDEX api_token_member ON api_token (member);
CREATE INDEX api_token_expires_at ON api_token (expires_at);
