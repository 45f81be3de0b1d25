-- Events of files that an operator gave up as lost, by the day on which they happened, counted from 1970-01-01 (UTC): results say which days lack some. `received_until` is
-- when the newest of them came.
CREATE TABLE lost_event_day (
    project BIGINT NOT NULL REFERENCES project (id),
    day BIGINT NOT NULL,
    events BIGINT NOT NULL,
    received_until BIGINT NOT NULL,
    PRIMARY KEY (project, day)
);
