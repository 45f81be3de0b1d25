-- Which taking of a key owns it: a request that was given up may end long after another one took its key. 0 in rows of before this step.
ALTER TABLE idempotent_answer ADD COLUMN lease BIGINT NOT NULL DEFAULT 0;
