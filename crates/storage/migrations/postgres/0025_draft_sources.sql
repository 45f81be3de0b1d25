-- The project file that a draft was applied from, as its author wrote it: with comments, order, quotes and references to files, of which
-- nothing else is here. `draft_tag` is the entity tag of the draft that it was then. Later edits of the draft leave it as it is.
CREATE TABLE draft_source (
    project BIGINT NOT NULL PRIMARY KEY REFERENCES project (id),
    text TEXT NOT NULL,
    draft_tag TEXT NOT NULL
);
