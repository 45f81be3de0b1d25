-- A password that somebody else was shown, after a reset say, is 1 here: it opens one page, on which its member chooses their own.
ALTER TABLE member ADD COLUMN is_password_temporary BIGINT NOT NULL DEFAULT 0;
