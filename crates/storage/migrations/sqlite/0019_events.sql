-- Events as they came, until they are moved into files. A row is what one request brought: `body` is JSON, its visitors are numbers.
CREATE TABLE event_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project BIGINT NOT NULL REFERENCES project (id),
    received_at BIGINT NOT NULL,
    events BIGINT NOT NULL,
    body BLOB NOT NULL
);
CREATE INDEX event_log_project ON event_log (project, id);
