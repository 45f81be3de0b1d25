-- Who did what to whom, when and from where, the newest with the highest id. No entry holds a secret, and entries outlive what they
-- are about. `actor` is `member` or `client`, meaning those named beside it, or `command`, `project_file` or `unknown`. Nobody and
-- nothing are 0 and ''. Refusals are counted: those of one kind, client, member and address within one `minute` are one entry.
CREATE TABLE audit_entry (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at BIGINT NOT NULL,
    event TEXT NOT NULL,
    actor TEXT NOT NULL,
    member BIGINT NOT NULL,
    client_id TEXT NOT NULL,
    address TEXT NOT NULL,
    detail TEXT NOT NULL,
    count BIGINT NOT NULL,
    minute BIGINT
);
CREATE UNIQUE INDEX audit_entry_minute ON audit_entry (event, client_id, member, address, minute) WHERE minute IS NOT NULL;
