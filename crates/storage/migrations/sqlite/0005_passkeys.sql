-- A passkey is a member's other way in. `credential` is what the server knows of it, in JSON: its public key and counter, no secret.
-- The name is the member's. A passkey that was never used has no `last_used_at`.
CREATE TABLE passkey (
    credential_id BLOB NOT NULL PRIMARY KEY,
    id TEXT NOT NULL,
    member BIGINT NOT NULL REFERENCES member (id) ON DELETE CASCADE,
    credential TEXT NOT NULL,
    name TEXT NOT NULL,
    added_at BIGINT NOT NULL,
    last_used_at BIGINT
) WITHOUT ROWID;
CREATE INDEX passkey_member ON passkey (member);

-- Challenges that were answered, until they would be over in any case: none is answered twice.
CREATE TABLE spent_challenge (
    hash BLOB NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX spent_challenge_expires_at ON spent_challenge (expires_at);
