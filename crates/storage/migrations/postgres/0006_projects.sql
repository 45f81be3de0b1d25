-- A project has a draft, which editors change, and revisions, of which one is live: 0 is none. `draft` is the document as JSON, and
-- `draft_version` counts its changes. `managed_by` is `store`, or `file` where a project file is the truth.
ALTER TABLE project ADD COLUMN draft TEXT NOT NULL DEFAULT '';
ALTER TABLE project ADD COLUMN draft_version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE project ADD COLUMN managed_by TEXT NOT NULL DEFAULT 'store';
ALTER TABLE project ADD COLUMN is_archived BIGINT NOT NULL DEFAULT 0;
UPDATE project SET draft = (
    SELECT document FROM revision WHERE revision.project = project.id AND revision.number = project.live_revision);

-- Large texts are written as they are: to compress them takes PostgreSQL longer than all else that a publication takes.
ALTER TABLE project ALTER COLUMN draft SET STORAGE EXTERNAL;
ALTER TABLE revision ALTER COLUMN document SET STORAGE EXTERNAL, ALTER COLUMN javascript SET STORAGE EXTERNAL,
    ALTER COLUMN brotli SET STORAGE EXTERNAL, ALTER COLUMN gzip SET STORAGE EXTERNAL;

-- Documents that were published before have no hash. `restored_from` is the revision whose document this one has again.
ALTER TABLE revision ADD COLUMN document_hash TEXT;
ALTER TABLE revision ADD COLUMN restored_from BIGINT;

-- Entries about projects tell which, what of it, what changed (a JSON Patch) and which request did it. Nothing is 0 and ''.
ALTER TABLE audit_entry ADD COLUMN project BIGINT NOT NULL DEFAULT 0;
ALTER TABLE audit_entry ADD COLUMN entity TEXT NOT NULL DEFAULT '';
ALTER TABLE audit_entry ADD COLUMN change TEXT NOT NULL DEFAULT '';
ALTER TABLE audit_entry ADD COLUMN request_id TEXT NOT NULL DEFAULT '';

-- Answers that were given under an idempotency key, until they are forgotten. There is no answer yet while the first request is at work.
CREATE TABLE idempotent_answer (
    hash BYTEA NOT NULL PRIMARY KEY,
    request BYTEA NOT NULL,
    answer TEXT,
    expires_at BIGINT NOT NULL
);
CREATE INDEX idempotent_answer_expires_at ON idempotent_answer (expires_at);
