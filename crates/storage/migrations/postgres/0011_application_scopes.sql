-- `scope` is what a client asks for when it names nothing, and beyond which it may not ask; where there is none it asks for the least.
-- Whoever is registered already goes on asking for everything.
ALTER TABLE client ADD COLUMN scope TEXT;
UPDATE client SET scope = 'config:read config:write publish results:read members:write audit:read';

-- 1 if the client named no scope, so that it has to be told what it got.
ALTER TABLE authorization_code ADD COLUMN is_scope_told BIGINT NOT NULL DEFAULT 0;
