-- Events as they came, until they are moved into files. A row is what one request brought: `body` is JSON, its visitors are numbers.
CREATE TABLE event_log (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    project BIGINT NOT NULL REFERENCES project (id),
    received_at BIGINT NOT NULL,
    events BIGINT NOT NULL,
    body BYTEA NOT NULL
);
CREATE INDEX event_log_project ON event_log (project, id);
