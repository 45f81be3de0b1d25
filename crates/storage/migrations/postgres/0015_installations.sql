-- The sites that load a project's snippet: when each was first seen and last, and nothing about visitors. `origin` is `https://shop.example`.
CREATE TABLE installation (
    project BIGINT NOT NULL REFERENCES project (id),
    origin TEXT NOT NULL,
    first_seen_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    PRIMARY KEY (project, origin)
);
