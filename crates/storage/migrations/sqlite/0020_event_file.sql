-- The files into which events were moved out of `event_log`, and which alone count: a file without a row here is left over. `name` is its path
-- below the folder of all files, `day` counts from 1970-01-01 (UTC), `received_until` is when the newest of its events came.
CREATE TABLE event_file (
    project BIGINT NOT NULL REFERENCES project (id),
    name TEXT NOT NULL,
    day BIGINT NOT NULL,
    events BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    first_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    received_until BIGINT NOT NULL,
    sealed_at BIGINT NOT NULL,
    PRIMARY KEY (project, name)
);
