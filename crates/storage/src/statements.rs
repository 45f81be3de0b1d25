//! Every statement, in the SQL that SQLite and PostgreSQL share. Parameters are numbered in the order of their first use: to
//! SQLite `$1` is a name, and names are numbered as they come.

mod audit;

pub(crate) use audit::{
    ADD_AUDIT_ENTRY, COUNT_REFUSAL, DELETE_OLD_AUDIT_ENTRIES, FIND_AUDIT_HEAD,
    FIND_FIRST_SEAL_SINCE, FIND_OLDEST_UNSEALED, FIND_UNSEALED_SPAN, LIST_AUDIT_ENTRIES,
    LIST_SEALED_ENTRIES, LIST_UNSEALED_ENTRIES, SEAL_AUDIT_ENTRY,
};

pub(crate) const ADD_MEMBER: &str = "INSERT INTO member (email, password_hash, is_password_temporary, created_at) \
    VALUES ($1, $2, $3, $4) RETURNING id";

pub(crate) const LOOKUP_MEMBER: &str =
    "SELECT id, email, password_hash, is_password_temporary FROM member WHERE id = $1";

pub(crate) const FIND_MEMBER_BY_EMAIL: &str =
    "SELECT id, email, password_hash, is_password_temporary FROM member WHERE email = $1";

/// Of two who replace one password, one does.
pub(crate) const CHOOSE_PASSWORD: &str = "\
    UPDATE member SET password_hash = $1, is_password_temporary = 0 \
    WHERE id = $2 AND password_hash = $3";

pub(crate) const RESET_PASSWORD: &str =
    "UPDATE member SET password_hash = $1, is_password_temporary = 1 WHERE id = $2";

pub(crate) const HAS_PASSWORD: &str = "SELECT 1 FROM member WHERE id = $1 AND password_hash = $2";

pub(crate) const RENEW_PASSWORD_HASH: &str =
    "UPDATE member SET password_hash = $1 WHERE id = $2 AND password_hash = $3";

pub(crate) const ADD_ROLE: &str =
    "INSERT INTO member_role (member, project, role, code) VALUES ($1, $2, $3, $4)";

pub(crate) const FIND_ROLES: &str =
    "SELECT project, role, code FROM member_role WHERE member = $1 ORDER BY project";

pub(crate) const REMOVE_ROLES: &str = "DELETE FROM member_role WHERE member = $1";

pub(crate) const COUNT_OTHER_OWNERS: &str =
    "SELECT COUNT(*) FROM member_role WHERE project = -1 AND role = 'owner' AND member <> $1";

/// A row for each role, or one row without a role.
pub(crate) const LOOKUP_MEMBER_LINE: &str = "\
    SELECT member.id, member.email, member.created_at, granted.project, granted.role, granted.code \
    FROM member LEFT JOIN member_role AS granted ON granted.member = member.id \
    WHERE member.id = $1 \
    ORDER BY granted.project";

/// The rows of each member as above.
pub(crate) const LIST_MEMBERS: &str = "\
    SELECT member.id, member.email, member.created_at, granted.project, granted.role, granted.code \
    FROM (SELECT * FROM member ORDER BY email LIMIT $1 OFFSET $2) AS member \
        LEFT JOIN member_role AS granted ON granted.member = member.id \
    ORDER BY member.email, granted.project";

pub(crate) const REMOVE_MEMBER: &str = "DELETE FROM member WHERE id = $1";

pub(crate) const ADD_SESSION: &str = "INSERT INTO session (hash, id, member, browser, started_at, seen_at, expires_at) \
    VALUES ($1, $2, $3, $4, $5, $5, $6)";

pub(crate) const FIND_SESSION: &str = "\
    SELECT member.id, member.email, member.password_hash, member.is_password_temporary, \
        session.seen_at, session.started_at \
    FROM session JOIN member ON member.id = session.member \
    WHERE session.hash = $1 AND session.seen_at > $2 AND session.expires_at > $3";

/// SQLite has one writer; PostgreSQL holds what it finds (`postgres/statements.rs`).
pub(crate) const HAS_SESSION: &str = "SELECT 1 FROM session WHERE hash = $1 AND member = $2";

pub(crate) const TOUCH_SESSION: &str = "UPDATE session SET seen_at = $1 WHERE hash = $2";

pub(crate) const REMOVE_SESSION: &str = "DELETE FROM session WHERE hash = $1 RETURNING member";

pub(crate) const LIST_SESSIONS: &str = "\
    SELECT hash, id, browser, started_at, seen_at FROM session \
    WHERE member = $1 AND seen_at > $2 AND expires_at > $3 \
    ORDER BY seen_at DESC, id LIMIT $4";

pub(crate) const END_SESSION: &str =
    "DELETE FROM session WHERE member = $1 AND id = $2 RETURNING browser";

pub(crate) const END_OTHER_SESSIONS: &str =
    "DELETE FROM session WHERE member = $1 AND hash <> $2 RETURNING browser";

pub(crate) const END_ALL_SESSIONS: &str = "DELETE FROM session WHERE member = $1 RETURNING browser";

/// One row, or none where the member has as many as $7 already.
pub(crate) const ADD_PASSKEY: &str = "\
    INSERT INTO passkey (credential_id, id, member, credential, name, added_at) \
    SELECT $1, $2, $3, $4, $5, $6 \
    WHERE (SELECT COUNT(*) FROM passkey WHERE member = $3) < $7";

pub(crate) const FIND_PASSKEY: &str = "\
    SELECT member.id, member.email, member.password_hash, member.is_password_temporary, \
        passkey.credential \
    FROM passkey JOIN member ON member.id = passkey.member \
    WHERE passkey.credential_id = $1";

pub(crate) const LIST_PASSKEYS: &str = "\
    SELECT credential_id, id, name, added_at, last_used_at FROM passkey \
    WHERE member = $1 ORDER BY added_at, id";

pub(crate) const NOTE_PASSKEY_USE: &str = "\
    UPDATE passkey SET credential = $1, last_used_at = $2 \
    WHERE credential_id = $3 AND credential = $4 AND member = $5";

pub(crate) const RENAME_PASSKEY: &str =
    "UPDATE passkey SET name = $1 WHERE member = $2 AND id = $3";

pub(crate) const REMOVE_PASSKEY: &str =
    "DELETE FROM passkey WHERE member = $1 AND id = $2 RETURNING name";

pub(crate) const REMOVE_PASSKEYS_OF_MEMBER: &str =
    "DELETE FROM passkey WHERE member = $1 RETURNING name";

pub(crate) const SPEND_CHALLENGE: &str =
    "INSERT INTO spent_challenge (hash, expires_at) VALUES ($1, $2)";

pub(crate) const ADD_CLIENT: &str = "\
    INSERT INTO client (client_id, name, kind, redirect_uris, origin, scope) \
    VALUES ($1, $2, $3, $4, $5, $6)";

pub(crate) const PUT_CLIENT: &str = "\
    INSERT INTO client (client_id, name, kind, redirect_uris, origin, scope) \
    VALUES ($1, $2, $3, $4, $5, $6) \
    ON CONFLICT (client_id) DO UPDATE \
    SET name = excluded.name, kind = excluded.kind, redirect_uris = excluded.redirect_uris, \
        origin = excluded.origin, scope = excluded.scope";

pub(crate) const CHANGE_CLIENT: &str = "\
    UPDATE client SET name = COALESCE($1, name), redirect_uris = COALESCE($2, redirect_uris), \
        scope = COALESCE($3, scope) \
    WHERE client_id = $4 AND name = $5 AND redirect_uris = $6";

pub(crate) const DISABLE_CLIENT: &str =
    "UPDATE client SET disabled_at = $1 WHERE client_id = $2 AND disabled_at IS NULL";

pub(crate) const ENABLE_CLIENT: &str =
    "UPDATE client SET disabled_at = NULL WHERE client_id = $1 AND disabled_at IS NOT NULL";

pub(crate) const REMOVE_CLIENT: &str = "DELETE FROM client WHERE client_id = $1";

/// A row for each secret, or one row without a secret.
pub(crate) const LOOKUP_CLIENT: &str = "\
    SELECT client.client_id, client.name, client.kind, client.redirect_uris, client.origin, \
        client.disabled_at, secret.id, secret.hash, secret.note, secret.created_at, \
        secret.last_used_at, client.scope \
    FROM client LEFT JOIN client_secret AS secret ON secret.client_id = client.client_id \
    WHERE client.client_id = $1 \
    ORDER BY secret.created_at, secret.id";

/// The rows of each client as above.
pub(crate) const LIST_CLIENTS: &str = "\
    SELECT client.client_id, client.name, client.kind, client.redirect_uris, client.origin, \
        client.disabled_at, secret.id, secret.hash, secret.note, secret.created_at, \
        secret.last_used_at, client.scope \
    FROM (SELECT * FROM client ORDER BY name, client_id LIMIT $1 OFFSET $2) AS client \
        LEFT JOIN client_secret AS secret ON secret.client_id = client.client_id \
    ORDER BY client.name, client.client_id, secret.created_at, secret.id";

pub(crate) const ADD_CLIENT_SECRET: &str = "\
    INSERT INTO client_secret (client_id, id, hash, note, created_at) VALUES ($1, $2, $3, $4, $5)";

pub(crate) const REMOVE_CLIENT_SECRET: &str =
    "DELETE FROM client_secret WHERE client_id = $1 AND id = $2";

pub(crate) const NOTE_SECRET_USE: &str = "\
    UPDATE client_secret SET last_used_at = $1 \
    WHERE client_id = $2 AND id = $3 AND (last_used_at IS NULL OR last_used_at <= $4)";

pub(crate) const FIND_CONSENT: &str =
    "SELECT scope FROM consent WHERE member = $1 AND client_id = $2";

pub(crate) const PUT_CONSENT: &str = "\
    INSERT INTO consent (member, client_id, scope, allowed_at) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (member, client_id) DO UPDATE SET scope = excluded.scope";

/// What a member allowed, with the moment it was last used: 0 if never.
pub(crate) const LIST_CONNECTIONS: &str = "\
    SELECT consent.client_id, client.name, client.redirect_uris, consent.scope, \
        consent.allowed_at, COALESCE(( \
            SELECT MAX(family.last_used_at) FROM token_family AS family \
            WHERE family.client_id = consent.client_id AND family.member = consent.member), 0) \
    FROM consent JOIN client ON client.client_id = consent.client_id \
    WHERE consent.member = $1 \
    ORDER BY client.name, consent.client_id LIMIT $2";

pub(crate) const REMOVE_CONSENT: &str = "DELETE FROM consent WHERE member = $1 AND client_id = $2";

pub(crate) const REMOVE_CODES_OF_CONSENT: &str =
    "DELETE FROM authorization_code WHERE member = $1 AND client_id = $2";

/// The clients that act for a member, or may.
pub(crate) const LIST_CLIENTS_OF_MEMBER: &str = "\
    SELECT client_id FROM client WHERE \
        EXISTS (SELECT 1 FROM consent \
            WHERE consent.member = $1 AND consent.client_id = client.client_id) \
        OR EXISTS (SELECT 1 FROM token_family AS family \
            WHERE family.client_id = client.client_id AND family.member = $1 \
                AND family.ended_at IS NULL) \
    ORDER BY client_id";

pub(crate) const REMOVE_CODES_OF_MEMBER: &str = "DELETE FROM authorization_code WHERE member = $1";

pub(crate) const REMOVE_CONSENTS_OF_MEMBER: &str = "DELETE FROM consent WHERE member = $1";

/// By client and member, as families are indexed.
pub(crate) const END_FAMILIES_OF_MEMBER: &str = "\
    UPDATE token_family SET ended_at = $1, expires_at = $1 \
    WHERE client_id IN (SELECT client_id FROM client) AND member = $2 AND ended_at IS NULL";

pub(crate) const END_FAMILIES_OF_CONSENT: &str = "\
    UPDATE token_family SET ended_at = $1, expires_at = $1 \
    WHERE client_id = $2 AND member = $3 AND ended_at IS NULL";

pub(crate) const ADD_AUTHORIZATION_CODE: &str = "\
    INSERT INTO authorization_code \
        (hash, client_id, member, redirect_uri, scope, code_challenge, expires_at, is_scope_told) \
    SELECT $1, $2, $3, $4, $5, $6, $7, $8 \
    WHERE NOT EXISTS (SELECT 1 FROM token_family WHERE code = $1) \
    ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at \
    RETURNING expires_at";

pub(crate) const SPEND_AUTHORIZATION_CODE: &str = "\
    DELETE FROM authorization_code \
    WHERE hash = $1 AND client_id = $2 AND redirect_uri = $3 \
        AND code_challenge IS NOT DISTINCT FROM $4 AND expires_at > $5 \
    RETURNING member, scope, is_scope_told";

pub(crate) const FIND_AUTHORIZATION_CODE: &str =
    "SELECT client_id, redirect_uri, expires_at FROM authorization_code WHERE hash = $1";

pub(crate) const ADD_FAMILY: &str = "\
    INSERT INTO token_family \
        (code, client_id, member, scope, generation, seen_generation, expires_at, ends_at, \
        last_used_at) \
    VALUES ($1, $2, $3, $4, 0, 0, $5, $6, $7) \
    RETURNING id";

pub(crate) const FIND_FAMILY_OF_CODE: &str =
    "SELECT id, client_id FROM token_family WHERE code = $1";

pub(crate) const MOVE_FAMILY_ON: &str = "\
    UPDATE token_family SET generation = $1, expires_at = $2, last_used_at = $3 WHERE id = $4";

pub(crate) const MARK_GENERATION_SEEN: &str =
    "UPDATE token_family SET seen_generation = $1 WHERE id = $2 AND seen_generation < $1";

pub(crate) const END_FAMILY: &str = "\
    UPDATE token_family SET ended_at = $1, expires_at = $1 \
    WHERE id = $2 AND ended_at IS NULL \
    RETURNING member";

pub(crate) const END_ALL_FAMILIES: &str =
    "UPDATE token_family SET ended_at = $1, expires_at = $1 WHERE ended_at IS NULL";

pub(crate) const REMOVE_ALL_CODES: &str = "DELETE FROM authorization_code";

pub(crate) const REMOVE_ALL_SESSIONS: &str = "DELETE FROM session";

pub(crate) const ADD_REFRESH_TOKEN: &str =
    "INSERT INTO refresh_token (hash, family, generation) VALUES ($1, $2, $3)";

pub(crate) const FIND_REFRESH_TOKEN: &str = "\
    SELECT token.generation, family.id, family.client_id, family.scope, family.generation, \
        family.seen_generation, family.expires_at, family.ends_at, family.ended_at, family.member, \
        family.last_used_at \
    FROM refresh_token AS token JOIN token_family AS family ON family.id = token.family \
    WHERE token.hash = $1";

/// They stay, to notice when somebody uses one after all.
pub(crate) const MARK_REFRESH_TOKENS_REPLACED: &str =
    "UPDATE refresh_token SET generation = -1 WHERE family = $1 AND generation = $2";

pub(crate) const REMOVE_OTHER_REFRESH_TOKENS_OF_GENERATION: &str =
    "DELETE FROM refresh_token WHERE family = $1 AND generation = $2 AND hash <> $3";

pub(crate) const ADD_ACCESS_TOKEN: &str = "\
    INSERT INTO access_token (hash, family, generation, scope, expires_at) \
    VALUES ($1, $2, $3, $4, $5)";

pub(crate) const FIND_ACCESS_TOKEN: &str = "\
    SELECT family.member, family.client_id, token.scope, token.expires_at, \
        token.family, token.generation, family.seen_generation \
    FROM access_token AS token JOIN token_family AS family ON family.id = token.family \
        JOIN client ON client.client_id = family.client_id \
    WHERE token.hash = $1 AND token.expires_at > $2 AND family.ended_at IS NULL \
        AND client.disabled_at IS NULL \
        AND (client.kind = 'public' OR EXISTS ( \
            SELECT 1 FROM client_secret AS secret WHERE secret.client_id = client.client_id))";

pub(crate) const REMOVE_ACCESS_TOKENS_OF_GENERATION: &str =
    "DELETE FROM access_token WHERE family = $1 AND generation = $2";

pub(crate) const REMOVE_ACCESS_TOKEN_OF_CLIENT: &str = "\
    DELETE FROM access_token \
    WHERE hash = $1 AND family IN (SELECT id FROM token_family WHERE client_id = $2) \
    RETURNING (SELECT member FROM token_family WHERE id = access_token.family)";

pub(crate) const ADD_PROJECT: &str = "\
    INSERT INTO project (id, key, name, is_archived, draft, managed_by, live_revision) \
    VALUES ($1, $2, $3, $4, $5, $6, 0) ON CONFLICT (id) DO NOTHING";

pub(crate) const FIND_PROJECT: &str =
    "SELECT draft_version, live_revision, managed_by FROM project WHERE id = $1";

pub(crate) const FIND_DRAFT: &str =
    "SELECT draft_version, live_revision, managed_by, draft FROM project WHERE id = $1";

pub(crate) const CHANGE_DRAFT: &str = "\
    UPDATE project SET key = $1, name = $2, is_archived = $3, draft = $4, draft_version = draft_version + 1 \
    WHERE id = $5 AND draft_version = $6 RETURNING draft_version";

pub(crate) const LIST_PROJECTS: &str = "\
    SELECT draft_version, live_revision, managed_by, id, key, name, is_archived FROM project \
    WHERE is_archived BETWEEN $1 AND $2 ORDER BY id LIMIT $3 OFFSET $4";

/// Projects of earlier versions may share a key: then it is that of the first.
pub(crate) const FIND_PROJECT_BY_KEY: &str =
    "SELECT id FROM project WHERE key = $1 ORDER BY id LIMIT 1";

/// This project has this key.
pub(crate) const HAS_KEY: &str = "SELECT id FROM project WHERE id = $1 AND key = $2";

/// Another project has this key.
pub(crate) const IS_KEY_TAKEN: &str = "SELECT id FROM project WHERE key = $1 AND id <> $2 LIMIT 1";

pub(crate) const COUNT_PROJECTS: &str =
    "SELECT COUNT(*) FROM project WHERE is_archived BETWEEN $1 AND $2";

pub(crate) const COUNT_PROJECTS_OF_MEMBER: &str = "\
    SELECT COUNT(*) FROM member_role JOIN project ON project.id = member_role.project \
    WHERE member_role.member = $1 AND is_archived BETWEEN $2 AND $3";

pub(crate) const COUNT_REVISIONS: &str = "SELECT COUNT(*) FROM revision WHERE project = $1";

pub(crate) const COUNT_MEMBERS: &str = "SELECT COUNT(*) FROM member";

pub(crate) const COUNT_CLIENTS: &str = "SELECT COUNT(*) FROM client";

pub(crate) const COUNT_AUDIT_ENTRIES: &str = "SELECT COUNT(*) FROM audit_entry";

pub(crate) const LIVE_REVISION: &str = "\
    SELECT number, document, document_hash, snippet_hash, javascript, brotli, gzip, author, message, \
        restored_from, created_at \
    FROM revision JOIN project ON project.id = revision.project \
    WHERE project.id = $1 AND revision.number = project.live_revision";

pub(crate) const LOOKUP_REVISION: &str = "\
    SELECT number, document, document_hash, snippet_hash, javascript, brotli, gzip, author, message, \
        restored_from, created_at \
    FROM revision WHERE project = $1 AND number = $2";

pub(crate) const LOOKUP_REVISION_DOCUMENT: &str =
    "SELECT document FROM revision WHERE project = $1 AND number = $2";

pub(crate) const LOOKUP_REVISION_LINE: &str = "\
    SELECT number, document_hash, snippet_hash, length(brotli), author, message, restored_from, created_at \
    FROM revision WHERE project = $1 AND number = $2";

/// Lengths stand before what is that long: nothing of a snippet is read.
pub(crate) const FIND_SNIPPET: &str = "\
    SELECT octet_length(javascript), octet_length(brotli), octet_length(gzip) \
    FROM revision WHERE project = $1 AND snippet_hash = $2 LIMIT 1";

pub(crate) const READ_JAVASCRIPT: &str =
    "SELECT javascript FROM revision WHERE project = $1 AND snippet_hash = $2 LIMIT 1";

pub(crate) const READ_BROTLI: &str =
    "SELECT brotli FROM revision WHERE project = $1 AND snippet_hash = $2 LIMIT 1";

pub(crate) const READ_GZIP: &str =
    "SELECT gzip FROM revision WHERE project = $1 AND snippet_hash = $2 LIMIT 1";

pub(crate) const LIST_REVISIONS: &str = "\
    SELECT number, document_hash, snippet_hash, length(brotli), author, message, restored_from, created_at \
    FROM revision WHERE project = $1 ORDER BY number DESC LIMIT $2 OFFSET $3";

pub(crate) const NEXT_REVISION_NUMBER: &str =
    "SELECT COALESCE(MAX(number), 0) + 1 FROM revision WHERE project = $1";

pub(crate) const ADD_REVISION: &str = "\
    INSERT INTO revision \
        (project, number, document, document_hash, snippet_hash, javascript, brotli, gzip, author, message, \
        restored_from, created_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";

pub(crate) const GO_LIVE: &str =
    "UPDATE project SET live_revision = $1, managed_by = $2 WHERE id = $3";

pub(crate) const HAS_PROJECT: &str = "SELECT 1 FROM project WHERE id = $1";

pub(crate) const LIST_PROJECTS_OF_MEMBER: &str = "\
    SELECT draft_version, live_revision, managed_by, id, key, name, is_archived \
    FROM member_role JOIN project ON project.id = member_role.project \
    WHERE member_role.member = $1 AND is_archived BETWEEN $2 AND $3 ORDER BY id LIMIT $4 OFFSET $5";

/// A few each time, so that nobody waits.
pub(crate) const DELETE_EXPIRED_ANSWERS: &str = "\
    DELETE FROM idempotent_answer WHERE hash IN ( \
        SELECT hash FROM idempotent_answer WHERE expires_at <= $1 ORDER BY expires_at LIMIT 16)";

/// Nobody has the key; or who had it has not answered for so long that nobody will.
pub(crate) const TAKE_KEY: &str = "\
    INSERT INTO idempotent_answer (hash, request, expires_at) VALUES ($1, $2, $3) \
    ON CONFLICT (hash) DO UPDATE \
    SET request = excluded.request, answer = NULL, expires_at = excluded.expires_at \
    WHERE idempotent_answer.expires_at <= $4";

pub(crate) const FIND_ANSWER: &str =
    "SELECT request, answer FROM idempotent_answer WHERE hash = $1";

pub(crate) const KEEP_ANSWER: &str =
    "UPDATE idempotent_answer SET answer = $1, expires_at = $2 WHERE hash = $3";

pub(crate) const FORGET_KEY: &str = "DELETE FROM idempotent_answer WHERE hash = $1";

pub(crate) const LIST_LIVE_NUMBERS: &str =
    "SELECT id, live_revision FROM project WHERE live_revision > 0";

pub(crate) const NEXT_MOMENT: &str = "\
    SELECT project, campaign, action, due_at, outcome, settled_at FROM scheduled_moment \
    WHERE outcome = 'due' ORDER BY due_at LIMIT 1";

pub(crate) const LIST_DUE_MOMENTS: &str = "\
    SELECT project, campaign, action, due_at, outcome, settled_at FROM scheduled_moment \
    WHERE outcome = 'due' AND due_at <= $1 ORDER BY due_at, project, campaign, action LIMIT 1000";

pub(crate) const LIST_MOMENTS: &str = "\
    SELECT project, campaign, action, due_at, outcome, settled_at FROM scheduled_moment \
    WHERE project = $1 ORDER BY due_at, campaign, action";

pub(crate) const PUT_MOMENT: &str = "\
    INSERT INTO scheduled_moment (project, campaign, action, due_at, outcome) \
    VALUES ($1, $2, $3, $4, 'due') \
    ON CONFLICT (project, campaign, action, due_at) DO UPDATE SET outcome = 'due', settled_at = NULL";

pub(crate) const SETTLE_MOMENT: &str = "\
    UPDATE scheduled_moment SET outcome = $1, settled_at = $2 \
    WHERE project = $3 AND campaign = $4 AND action = $5 AND due_at = $6 AND outcome = 'due'";

pub(crate) const ADD_SIGNING_KEY: &str =
    "INSERT INTO signing_key (id, key) VALUES (1, $1) ON CONFLICT (id) DO NOTHING";

pub(crate) const FIND_SIGNING_KEY: &str = "SELECT key FROM signing_key WHERE id = 1";

pub(crate) const FIND_NEWEST_MOMENT: &str = "\
    SELECT MAX(moment) FROM ( \
        SELECT MAX(expires_at) - $1 AS moment FROM access_token \
        UNION ALL SELECT MAX(expires_at) - $2 FROM authorization_code \
        UNION ALL SELECT MAX(expires_at) - $3 FROM session \
        UNION ALL SELECT at FROM audit_entry WHERE id = (SELECT MAX(id) FROM audit_entry)) AS newest";

pub(crate) const DELETE_EXPIRED_CODES: &str = "\
    DELETE FROM authorization_code WHERE hash IN ( \
        SELECT hash FROM authorization_code WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

pub(crate) const DELETE_EXPIRED_ACCESS_TOKENS: &str = "\
    DELETE FROM access_token WHERE hash IN ( \
        SELECT hash FROM access_token WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

pub(crate) const DELETE_EXPIRED_FAMILIES: &str = "\
    DELETE FROM token_family WHERE id IN ( \
        SELECT id FROM token_family WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

pub(crate) const DELETE_EXPIRED_SESSIONS: &str = "\
    DELETE FROM session WHERE hash IN ( \
        SELECT hash FROM session WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

pub(crate) const DELETE_EXPIRED_CHALLENGES: &str = "\
    DELETE FROM spent_challenge WHERE hash IN ( \
        SELECT hash FROM spent_challenge WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";

/// All of the above, for the test that prepares each of them.
#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    ADD_MEMBER,
    LOOKUP_MEMBER,
    FIND_MEMBER_BY_EMAIL,
    CHOOSE_PASSWORD,
    RESET_PASSWORD,
    HAS_PASSWORD,
    RENEW_PASSWORD_HASH,
    ADD_ROLE,
    FIND_ROLES,
    REMOVE_ROLES,
    COUNT_OTHER_OWNERS,
    LOOKUP_MEMBER_LINE,
    LIST_MEMBERS,
    REMOVE_MEMBER,
    ADD_SESSION,
    FIND_SESSION,
    HAS_SESSION,
    TOUCH_SESSION,
    REMOVE_SESSION,
    LIST_SESSIONS,
    END_SESSION,
    END_OTHER_SESSIONS,
    END_ALL_SESSIONS,
    ADD_PASSKEY,
    FIND_PASSKEY,
    LIST_PASSKEYS,
    NOTE_PASSKEY_USE,
    RENAME_PASSKEY,
    REMOVE_PASSKEY,
    REMOVE_PASSKEYS_OF_MEMBER,
    SPEND_CHALLENGE,
    ADD_CLIENT,
    PUT_CLIENT,
    CHANGE_CLIENT,
    DISABLE_CLIENT,
    ENABLE_CLIENT,
    REMOVE_CLIENT,
    LOOKUP_CLIENT,
    LIST_CLIENTS,
    ADD_CLIENT_SECRET,
    REMOVE_CLIENT_SECRET,
    NOTE_SECRET_USE,
    FIND_CONSENT,
    PUT_CONSENT,
    LIST_CONNECTIONS,
    REMOVE_CONSENT,
    REMOVE_CODES_OF_CONSENT,
    LIST_CLIENTS_OF_MEMBER,
    REMOVE_CODES_OF_MEMBER,
    REMOVE_CONSENTS_OF_MEMBER,
    END_FAMILIES_OF_MEMBER,
    END_FAMILIES_OF_CONSENT,
    ADD_AUTHORIZATION_CODE,
    SPEND_AUTHORIZATION_CODE,
    FIND_AUTHORIZATION_CODE,
    ADD_FAMILY,
    FIND_FAMILY_OF_CODE,
    MOVE_FAMILY_ON,
    MARK_GENERATION_SEEN,
    END_FAMILY,
    END_ALL_FAMILIES,
    REMOVE_ALL_CODES,
    REMOVE_ALL_SESSIONS,
    ADD_REFRESH_TOKEN,
    FIND_REFRESH_TOKEN,
    MARK_REFRESH_TOKENS_REPLACED,
    REMOVE_OTHER_REFRESH_TOKENS_OF_GENERATION,
    ADD_ACCESS_TOKEN,
    FIND_ACCESS_TOKEN,
    REMOVE_ACCESS_TOKENS_OF_GENERATION,
    REMOVE_ACCESS_TOKEN_OF_CLIENT,
    ADD_PROJECT,
    FIND_PROJECT,
    FIND_DRAFT,
    CHANGE_DRAFT,
    LIST_PROJECTS,
    FIND_PROJECT_BY_KEY,
    HAS_KEY,
    IS_KEY_TAKEN,
    COUNT_PROJECTS,
    COUNT_PROJECTS_OF_MEMBER,
    COUNT_REVISIONS,
    COUNT_MEMBERS,
    COUNT_CLIENTS,
    COUNT_AUDIT_ENTRIES,
    LIVE_REVISION,
    LOOKUP_REVISION,
    LOOKUP_REVISION_DOCUMENT,
    LOOKUP_REVISION_LINE,
    FIND_SNIPPET,
    READ_JAVASCRIPT,
    READ_BROTLI,
    READ_GZIP,
    LIST_REVISIONS,
    NEXT_REVISION_NUMBER,
    ADD_REVISION,
    GO_LIVE,
    HAS_PROJECT,
    LIST_PROJECTS_OF_MEMBER,
    DELETE_EXPIRED_ANSWERS,
    TAKE_KEY,
    FIND_ANSWER,
    KEEP_ANSWER,
    FORGET_KEY,
    LIST_LIVE_NUMBERS,
    NEXT_MOMENT,
    LIST_DUE_MOMENTS,
    LIST_MOMENTS,
    PUT_MOMENT,
    SETTLE_MOMENT,
    ADD_SIGNING_KEY,
    FIND_SIGNING_KEY,
    FIND_NEWEST_MOMENT,
    DELETE_EXPIRED_CODES,
    DELETE_EXPIRED_ACCESS_TOKENS,
    DELETE_EXPIRED_FAMILIES,
    DELETE_EXPIRED_SESSIONS,
    DELETE_EXPIRED_CHALLENGES,
    ADD_AUDIT_ENTRY,
    COUNT_REFUSAL,
    LIST_AUDIT_ENTRIES,
    DELETE_OLD_AUDIT_ENTRIES,
    LIST_UNSEALED_ENTRIES,
    FIND_OLDEST_UNSEALED,
    FIND_UNSEALED_SPAN,
    SEAL_AUDIT_ENTRY,
    FIND_AUDIT_HEAD,
    LIST_SEALED_ENTRIES,
    FIND_FIRST_SEAL_SINCE,
];
