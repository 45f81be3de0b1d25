-- The moments at which campaigns start and stop by themselves, as the live revision says, and what became of those before. `outcome` is
-- `due`, `done`, `missed` or `cancelled`.
CREATE TABLE scheduled_moment (
    project BIGINT NOT NULL REFERENCES project (id),
    campaign BIGINT NOT NULL,
    action TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    settled_at BIGINT,
    PRIMARY KEY (project, campaign, action, due_at)
);
CREATE INDEX scheduled_moment_due ON scheduled_moment (due_at) WHERE outcome = 'due';
