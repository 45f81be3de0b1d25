-- When each resource of a draft was created and last changed, and by whom. `resource` is `project`, or the kind and the id: `page 2001`.
-- `created_at` is NULL where it was created before this step. Where what is live is something else than what the draft has, `live_updated_at`
-- and `live_updated_by` say the same of that, if it is known.
CREATE TABLE resource_stamp (
    project BIGINT NOT NULL REFERENCES project (id),
    resource TEXT NOT NULL,
    created_at BIGINT,
    updated_at BIGINT NOT NULL,
    updated_by TEXT NOT NULL,
    live_updated_at BIGINT,
    live_updated_by TEXT,
    PRIMARY KEY (project, resource)
);

-- Each change of a resource, with the version of the draft that it made. `kind` is `created`, `changed` or `removed`, `fields` what it
-- changed, as JSON.
CREATE TABLE resource_change (
    project BIGINT NOT NULL REFERENCES project (id),
    resource TEXT NOT NULL,
    draft_version BIGINT NOT NULL,
    kind TEXT NOT NULL,
    changed_at BIGINT NOT NULL,
    changed_by TEXT NOT NULL,
    fields TEXT NOT NULL,
    PRIMARY KEY (project, resource, draft_version)
);
