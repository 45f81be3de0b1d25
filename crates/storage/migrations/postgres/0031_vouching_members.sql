-- The member who handed a member by hand what they chose their password with, the link of an invitation or a temporary password, and who may have
-- used it themselves: nothing has proved that the e-mail address is the member's. 0 where something has, or where an operator did it. Who
-- invited members so far is in the audit log.
ALTER TABLE member ADD COLUMN vouched_by BIGINT NOT NULL DEFAULT 0;
WITH made AS MATERIALIZED (
    SELECT member, detail FROM audit_entry WHERE event = 'invitation.made'
), accepted AS MATERIALIZED (
    SELECT member, at, detail FROM audit_entry WHERE event = 'invitation.accepted'
), added AS MATERIALIZED (
    SELECT member, at FROM audit_entry WHERE event = 'member.added'
)
UPDATE member SET vouched_by = made.member
FROM accepted
    JOIN added ON added.member = accepted.member AND added.at = accepted.at
    JOIN made ON made.detail || ', invited by ' = substr(accepted.detail, 1, length(made.detail) + 13)
WHERE accepted.member = member.id AND made.member <> member.id;
