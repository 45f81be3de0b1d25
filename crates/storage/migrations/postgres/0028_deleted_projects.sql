-- Ids of projects that were deleted, which say nothing else of them. No project gets one again: pages that still load a snippet by its old address
-- must not get that of another project.
CREATE TABLE deleted_project (
    id BIGINT NOT NULL PRIMARY KEY,
    deleted_at BIGINT NOT NULL
);
