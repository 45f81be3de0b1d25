-- When the newest of the events happened: imported ones did so long before they came. NULL in rows of before this step.
ALTER TABLE event_log ADD COLUMN last_at BIGINT;
