-- Which files of events another system has taken. `sink` names the system and is a hash of its address: events that go to another one go there from
-- the beginning. A file that is not here is still to be sent. Rows go with their files.
CREATE TABLE sent_event_file (
    sink TEXT NOT NULL,
    project BIGINT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (project, name, sink)
) WITHOUT ROWID;
