-- A client has a row for each of its secrets, so that people can tell them apart and see which are in use.
CREATE TABLE client_secret (
    client_id TEXT NOT NULL REFERENCES client (client_id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    hash BYTEA NOT NULL,
    note TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT,
    PRIMARY KEY (client_id, id)
);
INSERT INTO client_secret (client_id, id, hash, note, created_at)
    SELECT client_id, substr(md5(random()::text), 1, 8), substring(secret_hashes FROM 1 FOR 32), '', (extract(epoch FROM now()) * 1000)::BIGINT
    FROM client WHERE length(secret_hashes) >= 32;
INSERT INTO client_secret (client_id, id, hash, note, created_at)
    SELECT client_id, substr(md5(random()::text), 1, 8), substring(secret_hashes FROM 33 FOR 32), '', (extract(epoch FROM now()) * 1000)::BIGINT
    FROM client WHERE length(secret_hashes) >= 64;
ALTER TABLE client DROP COLUMN secret_hashes;

-- `origin` is who may change the client: `command` or `project_file`. A client with `disabled_at` is switched off since then.
ALTER TABLE client ADD COLUMN origin TEXT NOT NULL DEFAULT 'command';
ALTER TABLE client ADD COLUMN disabled_at BIGINT;

-- A member sees what they allowed, since when, and when it was last used (to about an hour), and can end it.
ALTER TABLE consent ADD COLUMN allowed_at BIGINT NOT NULL DEFAULT 0;
UPDATE consent SET allowed_at = (extract(epoch FROM now()) * 1000)::BIGINT;
ALTER TABLE token_family ADD COLUMN last_used_at BIGINT NOT NULL DEFAULT 0;
UPDATE token_family SET last_used_at = (extract(epoch FROM now()) * 1000)::BIGINT;
CREATE INDEX token_family_client ON token_family (client_id, member);

-- A member sees in which browsers they are signed in, and can end each session by its id.
ALTER TABLE session ADD COLUMN id TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN started_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN browser TEXT NOT NULL DEFAULT '';
UPDATE session SET id = substr(md5(random()::text), 1, 10), started_at = expires_at - 2592000000;
CREATE INDEX session_member ON session (member);
