-- Entries of the audit log are sealed soon after they were written: each gets the next number and the SHA-256 of itself and of the
-- hash before it, so that none can be changed, removed or put between others without a trace. An entry is complete then, so it has
-- no `minute` any more. Where the oldest were deleted, the first one left still tells the hash before it.
ALTER TABLE audit_entry ADD COLUMN seal BIGINT;
ALTER TABLE audit_entry ADD COLUMN prev_hash BYTEA;
ALTER TABLE audit_entry ADD COLUMN hash BYTEA;
CREATE UNIQUE INDEX audit_entry_seal ON audit_entry (seal) WHERE seal IS NOT NULL;
CREATE INDEX audit_entry_unsealed ON audit_entry (id) WHERE seal IS NULL;
