//! Identities of members at a provider.

statements! {
    FIND_MEMBER_BY_IDENTITY = "\
        SELECT member.id, member.email, member.password_hash, member.is_password_temporary \
        FROM identity JOIN member ON member.id = identity.member \
        WHERE identity.issuer = $1 AND identity.subject = $2";

    /// Changes nothing where the identity is known, or the member has another one of this provider.
    LINK_IDENTITY = "\
        INSERT INTO identity (issuer, subject, member, linked_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT DO NOTHING";

    HAS_IDENTITY = "SELECT 1 FROM identity WHERE issuer = $1 AND subject = $2 AND member = $3";

    UNLINK_IDENTITIES = "DELETE FROM identity WHERE member = $1";
}
