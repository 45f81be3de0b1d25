-- The key with which servers and apps add events of a project. It is public: it adds events and does nothing else, so it is kept as it is and
-- shown whenever a member asks. A project has one key at a time, or none.
CREATE TABLE events_key (
    project BIGINT NOT NULL PRIMARY KEY REFERENCES project (id),
    key TEXT NOT NULL,
    made_at BIGINT NOT NULL
) WITHOUT ROWID;
