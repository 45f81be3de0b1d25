//! The statements that only PostgreSQL is given: those that do in one round trip what SQLite does in several steps beside its file,
//! and those about locks, of which SQLite has one. All others are in `crate::statements`.

/// Keeps a code, unless it was spent before or the session in which it was allowed has ended, and remembers the consent; writes it down where it was given now, from an address. A
/// scope that was allowed before and goes on being allowed may stand there twice: it is
/// read as a set.
pub(super) const ADD_CODE_AND_CONSENT: &str = "\
    WITH asked AS MATERIALIZED ( \
        SELECT 1 FROM session WHERE hash = $10 AND member = $3 FOR SHARE), \
    code AS ( \
        INSERT INTO authorization_code \
            (hash, client_id, member, redirect_uri, scope, code_challenge, expires_at, \
            is_scope_told) \
        SELECT $1, $2, $3, $4, $5, $6, $7, $11 FROM asked \
        WHERE NOT EXISTS (SELECT 1 FROM token_family WHERE code = $1) \
        ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at \
        RETURNING expires_at), \
    noted AS ( \
        INSERT INTO audit_entry (at, event, actor, member, client_id, address, detail, count) \
        SELECT $8, 'consent.allowed', 'member', $3, $2, $9, $5, 1 FROM code \
        WHERE $9::TEXT IS NOT NULL), \
    allowed AS ( \
        INSERT INTO consent (member, client_id, scope, allowed_at) SELECT $3, $2, $5, $8 FROM code \
        ON CONFLICT (member, client_id) DO UPDATE SET scope = consent.scope || ' ' || excluded.scope \
        WHERE NOT string_to_array(excluded.scope, ' ') <@ string_to_array(consent.scope, ' ')) \
    SELECT expires_at FROM code";

/// Spends a code, if everything about the exchange is right, and stores what it becomes. Whoever comes second waits for the first to
/// commit, and finds no code; or finds it kept again by somebody who waited as well, but then it has become something already.
pub(super) const EXCHANGE_CODE: &str = "\
    WITH code AS ( \
        DELETE FROM authorization_code \
        WHERE hash = $1 AND client_id = $2 AND redirect_uri = $3 \
            AND code_challenge IS NOT DISTINCT FROM $4 AND expires_at > $5 \
        RETURNING member, scope, is_scope_told), \
    family AS ( \
        INSERT INTO token_family \
            (code, client_id, member, scope, generation, seen_generation, expires_at, ends_at, \
            last_used_at) \
        SELECT $1, $2, member, scope, 0, 0, $6, $7, $5 FROM code \
        ON CONFLICT (code) DO NOTHING \
        RETURNING id, member, scope), \
    noted AS ( \
        INSERT INTO audit_entry (at, event, actor, member, client_id, address, detail, count) \
        SELECT $5, 'code.exchanged', 'client', member, $2, $11, scope, 1 FROM family), \
    refresh AS ( \
        INSERT INTO refresh_token (hash, family, generation) SELECT $8, id, 0 FROM family), \
    access AS ( \
        INSERT INTO access_token (hash, family, generation, scope, expires_at) \
        SELECT $9, id, 0, scope, $10 FROM family) \
    SELECT id, member, scope, (SELECT is_scope_told FROM code) FROM family";

/// The whole refresh of a client that keeps its token, if it is the newest and everything about it is right. Nothing is locked but
/// once a day, when the family is prolonged: many may use the token at once.
pub(super) const REFRESH_KEEPING: &str = "\
    WITH token AS ( \
        SELECT family.id, token.generation, COALESCE($4, family.scope) AS scope, family.member, \
            family.seen_generation, family.last_used_at, \
            LEAST($5, family.ends_at) AS expires_after_use \
        FROM refresh_token AS token JOIN token_family AS family ON family.id = token.family \
        WHERE token.hash = $1 AND family.client_id = $2 AND family.ended_at IS NULL \
            AND family.expires_at > $3 AND token.generation = family.generation \
            AND COALESCE(string_to_array($4, ' ') <@ string_to_array(family.scope, ' '), TRUE)), \
    prolonged AS ( \
        UPDATE token_family AS family \
        SET expires_at = token.expires_after_use, last_used_at = $3 FROM token \
        WHERE family.id = token.id AND family.ended_at IS NULL \
            AND $3 - $6 >= family.last_used_at), \
    access AS ( \
        INSERT INTO access_token (hash, family, generation, scope, expires_at) \
        SELECT $7, id, generation, scope, $8 FROM token) \
    SELECT id, member, scope, seen_generation >= generation AS is_seen FROM token";

/// The whole refresh of a client whose token is replaced, if it is the newest and everything about it is right. `xmin` tells one
/// state of a row from the next: whoever had to wait because somebody else was using a token of the family changes nothing, as what
/// this statement sees of the family's tokens is from before. What was asked for at the same moment as the token that is used goes.
pub(super) const REFRESH_REPLACING: &str = "\
    WITH token AS ( \
        SELECT family.id, family.xmin AS state, token.generation \
        FROM refresh_token AS token JOIN token_family AS family ON family.id = token.family \
        WHERE token.hash = $1), \
    moved AS ( \
        UPDATE token_family AS family \
        SET generation = family.generation + 1, expires_at = LEAST($5, family.ends_at), \
            last_used_at = $3 \
        FROM token \
        WHERE family.id = token.id AND family.xmin = token.state \
            AND family.client_id = $2 AND family.ended_at IS NULL \
            AND family.expires_at > $3 AND token.generation = family.generation \
            AND COALESCE(string_to_array($4, ' ') <@ string_to_array(family.scope, ' '), TRUE) \
        RETURNING family.id, family.generation, COALESCE($4, family.scope) AS scope, family.member), \
    others AS ( \
        DELETE FROM refresh_token AS other USING moved \
        WHERE other.family = moved.id AND other.generation = moved.generation - 1 \
            AND other.hash <> $1), \
    successor AS ( \
        INSERT INTO refresh_token (hash, family, generation) SELECT $6, id, generation FROM moved), \
    access AS ( \
        INSERT INTO access_token (hash, family, generation, scope, expires_at) \
        SELECT $7, id, generation, scope, $8 FROM moved) \
    SELECT id, member, scope, FALSE AS is_seen FROM moved";

/// From here to the end of the transaction nobody else uses a token of this family. New access tokens of it may still be stored.
pub(super) const LOCK_FAMILY_OF_REFRESH_TOKEN: &str = "\
    SELECT id FROM token_family WHERE id = (SELECT family FROM refresh_token WHERE hash = $1) \
    FOR NO KEY UPDATE";

pub(super) const LOCK_FAMILY_OF_ACCESS_TOKEN: &str = "\
    SELECT id FROM token_family WHERE id = (SELECT family FROM access_token WHERE hash = $1) \
    FOR NO KEY UPDATE";

/// To the end of the transaction the member keeps this password: who changes it waits, and then sees what was done meanwhile.
pub(super) const HOLD_PASSWORD: &str =
    "SELECT 1 FROM member WHERE id = $1 AND password_hash = $2 FOR SHARE";

/// To the end of the transaction nobody starts a session of this member: who does so at this moment is waited for.
pub(super) const LOCK_MEMBER: &str = "SELECT 1 FROM member WHERE id = $1 FOR NO KEY UPDATE";

pub(super) const HOLD_MEMBER: &str = "SELECT 1 FROM member WHERE id = $1 FOR SHARE";

/// To the end of the transaction the session stays: who ends it waits, and then sees what was done in it meanwhile.
pub(super) const HOLD_SESSION: &str =
    "SELECT 1 FROM session WHERE hash = $1 AND member = $2 FOR SHARE";

/// From here to the end of the transaction nobody else publishes this project, which may not be there yet.
pub(super) const LOCK_PROJECT: &str = "SELECT pg_advisory_xact_lock($1)";

/// From here to the end of the transaction nobody else takes a key for a project. Two numbers are another kind of lock than the ids of
/// projects.
pub(super) const LOCK_KEYS: &str = "SELECT pg_advisory_xact_lock(1, 1)";

/// From here to the end of the transaction nobody else changes this client.
pub(super) const LOCK_CLIENT: &str =
    "SELECT client_id FROM client WHERE client_id = $1 FOR NO KEY UPDATE";

/// Ends a family because of what its client did, writes that down, and tells all processes.
pub(super) const END_FAMILY_AND_TELL: &str = "\
    WITH ended AS ( \
        UPDATE token_family SET ended_at = $1, expires_at = $1 \
        WHERE id = $2 AND ended_at IS NULL RETURNING member, client_id), \
    noted AS ( \
        INSERT INTO audit_entry (at, event, actor, member, client_id, address, detail, count) \
        SELECT $1, $4, 'client', member, client_id, $5, '', 1 FROM ended) \
    SELECT pg_notify('assay_ended', $3) FROM ended";

/// Removes an access token of a client, writes that down, and tells all processes.
pub(super) const REMOVE_ACCESS_TOKEN_AND_TELL: &str = "\
    WITH removed AS ( \
        DELETE FROM access_token \
        WHERE hash = $1 AND family IN (SELECT id FROM token_family WHERE client_id = $2) \
        RETURNING family), \
    noted AS ( \
        INSERT INTO audit_entry (at, event, actor, member, client_id, address, detail, count) \
        SELECT $4, 'access_token.revoked', 'client', family.member, $2, $5, '', 1 \
        FROM removed JOIN token_family AS family ON family.id = removed.family) \
    SELECT pg_notify('assay_ended', $3) FROM removed";

/// Tells all processes what has ended, as soon as the transaction is committed.
pub(super) const TELL: &str = "SELECT pg_notify('assay_ended', $1)";

// What somebody else is working on at this moment is left to another time.

pub(super) const DELETE_EXPIRED_CODES: &str = "\
    DELETE FROM authorization_code WHERE hash IN ( \
        SELECT hash FROM authorization_code WHERE expires_at <= $1 \
        ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)";

pub(super) const DELETE_EXPIRED_ACCESS_TOKENS: &str = "\
    DELETE FROM access_token WHERE hash IN ( \
        SELECT hash FROM access_token WHERE expires_at <= $1 \
        ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)";

pub(super) const DELETE_EXPIRED_FAMILIES: &str = "\
    DELETE FROM token_family WHERE id IN ( \
        SELECT id FROM token_family WHERE expires_at <= $1 \
        ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)";

pub(super) const DELETE_EXPIRED_SESSIONS: &str = "\
    DELETE FROM session WHERE hash IN ( \
        SELECT hash FROM session WHERE expires_at <= $1 \
        ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)";

pub(super) const DELETE_EXPIRED_CHALLENGES: &str = "\
    DELETE FROM spent_challenge WHERE hash IN ( \
        SELECT hash FROM spent_challenge WHERE expires_at <= $1 \
        ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)";

/// As SQLite does it, unless somebody else is sealing or deleting: two who delete at once might leave something between.
pub(super) const DELETE_OLD_AUDIT_ENTRIES: &str = "\
    WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(-2) AS is_ours), \
    first AS ( \
        SELECT seal, at > $1 AS is_kept FROM audit_entry \
        WHERE seal IS NOT NULL AND (SELECT is_ours FROM turn) ORDER BY seal LIMIT $2) \
    DELETE FROM audit_entry WHERE seal IN (SELECT seal FROM first) \
        AND seal < COALESCE( \
            (SELECT MIN(seal) FROM first WHERE is_kept), (SELECT MAX(seal) FROM audit_entry))";

/// From here to the end of the transaction nobody else seals entries of the audit log. Project ids, which are locks too, are positive.
pub(super) const LOCK_AUDIT_CHAIN: &str = "SELECT pg_advisory_xact_lock(-2)";

/// Whoever counts to one of them waits, and then finds it complete.
pub(super) const LIST_AND_LOCK_UNSEALED_ENTRIES: &str = "\
    SELECT id, at, event, actor, member, client_id, address, detail, count, project, entity, \
        change, request_id \
    FROM audit_entry WHERE seal IS NULL AND (minute IS NULL OR minute <= $1) ORDER BY id LIMIT $2 \
    FOR UPDATE";

pub(super) const SEAL_AUDIT_ENTRIES: &str = "\
    UPDATE audit_entry AS entry \
    SET seal = sealed.seal, prev_hash = sealed.prev_hash, hash = sealed.hash, minute = NULL \
    FROM unnest($1::BIGINT[], $2::BIGINT[], $3::BYTEA[], $4::BYTEA[]) \
        AS sealed (id, seal, prev_hash, hash) \
    WHERE entry.id = sealed.id";

/// Tells all processes, as soon as the transaction is committed, that something was published.
pub(super) const TELL_PUBLICATION: &str = "SELECT pg_notify('assay_published', '')";

/// For the rest of the transaction: steps of the schema, and what changes every row, take as long as they take.
pub(super) const TAKE_YOUR_TIME: &str = "SET LOCAL statement_timeout = 0";

/// The same for a lock: whoever takes a step of the schema may hold it for minutes.
pub(super) const WAIT_YOUR_TURN: &str = "SET LOCAL lock_timeout = 0";

/// From here to the end of the transaction nobody else changes roles; they are read as ever.
pub(super) const LOCK_ROLES: &str = "LOCK TABLE member_role IN SHARE ROW EXCLUSIVE MODE";

pub(super) const TOUCH_SCHEMA: &str = "UPDATE assay_schema SET version = version";

/// All of the above, for the test that prepares each of them.
#[cfg(test)]
pub(super) const ALL: &[&str] = &[
    ADD_CODE_AND_CONSENT,
    EXCHANGE_CODE,
    REFRESH_KEEPING,
    REFRESH_REPLACING,
    LOCK_FAMILY_OF_REFRESH_TOKEN,
    LOCK_FAMILY_OF_ACCESS_TOKEN,
    HOLD_PASSWORD,
    LOCK_MEMBER,
    HOLD_MEMBER,
    HOLD_SESSION,
    LOCK_PROJECT,
    LOCK_KEYS,
    LOCK_CLIENT,
    END_FAMILY_AND_TELL,
    REMOVE_ACCESS_TOKEN_AND_TELL,
    TELL,
    TELL_PUBLICATION,
    DELETE_EXPIRED_CODES,
    DELETE_EXPIRED_ACCESS_TOKENS,
    DELETE_EXPIRED_FAMILIES,
    DELETE_EXPIRED_SESSIONS,
    DELETE_EXPIRED_CHALLENGES,
    DELETE_OLD_AUDIT_ENTRIES,
    LOCK_AUDIT_CHAIN,
    LIST_AND_LOCK_UNSEALED_ENTRIES,
    SEAL_AUDIT_ENTRIES,
    TAKE_YOUR_TIME,
    WAIT_YOUR_TURN,
    LOCK_ROLES,
    TOUCH_SCHEMA,
];
