-- The server's own key for what it signs, preview links say: there is one row at most. Unlike a token it is needed as it is.
CREATE TABLE signing_key (
    id BIGINT NOT NULL PRIMARY KEY,
    key BLOB NOT NULL
);
