-- The member on whose word a webhook sends: who added it, or gave it another address, or switched it on last. 0 is an operator. When the member is
-- removed, Assay switches it off. Who added those so far is in the audit log.
ALTER TABLE webhook ADD COLUMN member BIGINT NOT NULL DEFAULT 0;
WITH added AS MATERIALIZED (
    SELECT member, entity FROM audit_entry WHERE event = 'webhook.added'
)
UPDATE webhook SET member = added.member FROM added WHERE added.entity = 'webhook ' || webhook.id;
CREATE INDEX webhook_member ON webhook (member);
