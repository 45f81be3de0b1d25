-- People who were invited and have not come yet. `hash` is that of the link's token. `project`, `role` and `code` as in `member_role`. `member`
-- made it, or an operator at the terminal, who is 0. A row goes when its person becomes a member, when it is revoked, or a while after it expired.
CREATE TABLE invitation (
    id TEXT NOT NULL PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    email TEXT NOT NULL,
    project BIGINT NOT NULL,
    role TEXT NOT NULL,
    code BIGINT NOT NULL,
    member BIGINT NOT NULL,
    made_by TEXT NOT NULL,
    made_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX invitation_expires_at ON invitation (expires_at);
CREATE INDEX invitation_email ON invitation (email);
