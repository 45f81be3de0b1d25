-- Hashes are SHA-256 (32 bytes). Times are milliseconds since 1970 began, in UTC. Scopes are names separated by spaces.

-- Ids of removed members are never given to others, who would take over what is still written about them.
CREATE TABLE member (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE session (
    hash BYTEA NOT NULL PRIMARY KEY,
    member BIGINT NOT NULL REFERENCES member (id) ON DELETE CASCADE,
    seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX session_expires_at ON session (expires_at);

-- `redirect_uris` has one on each line; `secret_hashes` has one after the other.
CREATE TABLE client (
    client_id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,
    secret_hashes BYTEA NOT NULL
);

CREATE TABLE consent (
    member BIGINT NOT NULL REFERENCES member (id) ON DELETE CASCADE,
    client_id TEXT NOT NULL REFERENCES client (client_id) ON DELETE CASCADE,
    scope TEXT NOT NULL,
    PRIMARY KEY (member, client_id)
);

-- Codes that were not exchanged yet.
CREATE TABLE authorization_code (
    hash BYTEA NOT NULL PRIMARY KEY,
    client_id TEXT NOT NULL REFERENCES client (client_id) ON DELETE CASCADE,
    member BIGINT NOT NULL REFERENCES member (id) ON DELETE CASCADE,
    redirect_uri TEXT NOT NULL,
    scope TEXT NOT NULL,
    code_challenge TEXT,
    expires_at BIGINT NOT NULL
);
CREATE INDEX authorization_code_expires_at ON authorization_code (expires_at);

-- All tokens that come from one authorization code, whose hash is kept to notice a replay. Ending the family ends them all.
-- Each rotation of the refresh token starts a generation, counted from 0. `seen_generation` is the newest one of which a token
-- has been used. `expires_at` moves with use, but never beyond `ends_at`.
CREATE TABLE token_family (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    code BYTEA NOT NULL UNIQUE,
    client_id TEXT NOT NULL REFERENCES client (client_id) ON DELETE CASCADE,
    member BIGINT NOT NULL REFERENCES member (id) ON DELETE CASCADE,
    scope TEXT NOT NULL,
    generation BIGINT NOT NULL,
    seen_generation BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    ended_at BIGINT
);
CREATE INDEX token_family_expires_at ON token_family (expires_at);

-- Spent ones, too, to notice when somebody uses one again.
CREATE TABLE refresh_token (
    hash BYTEA NOT NULL PRIMARY KEY,
    family BIGINT NOT NULL REFERENCES token_family (id) ON DELETE CASCADE,
    generation BIGINT NOT NULL
);
CREATE INDEX refresh_token_family ON refresh_token (family);

CREATE TABLE access_token (
    hash BYTEA NOT NULL PRIMARY KEY,
    family BIGINT NOT NULL REFERENCES token_family (id) ON DELETE CASCADE,
    generation BIGINT NOT NULL,
    scope TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX access_token_expires_at ON access_token (expires_at);
CREATE INDEX access_token_family ON access_token (family);

CREATE TABLE project (
    id BIGINT NOT NULL PRIMARY KEY,
    key TEXT NOT NULL,
    name TEXT,
    live_revision BIGINT NOT NULL
);

CREATE TABLE revision (
    project BIGINT NOT NULL REFERENCES project (id),
    number BIGINT NOT NULL,
    document TEXT NOT NULL,
    snippet_hash TEXT NOT NULL,
    javascript TEXT NOT NULL,
    brotli BYTEA NOT NULL,
    gzip BYTEA NOT NULL,
    author TEXT NOT NULL,
    message TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (project, number)
);
CREATE INDEX revision_snippet_hash ON revision (project, snippet_hash);
