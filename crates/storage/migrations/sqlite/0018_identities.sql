-- Who a member is at an OpenID Connect provider: the pair of issuer and subject never means another person (OpenID Connect Core
-- section 5.7), an e-mail address may. A member is one person at one provider.
CREATE TABLE identity (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    member BIGINT NOT NULL REFERENCES member (id) ON DELETE CASCADE,
    linked_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
) WITHOUT ROWID;
CREATE UNIQUE INDEX identity_member ON identity (member, issuer);
