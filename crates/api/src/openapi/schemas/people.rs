//! Members, applications, the audit log, and what the authorization server says to clients.

use oauth::Scope;
use serde_json::{Value, json};
use storage::Role;

use super::{Definition, action, list_of, moment, record, text, text_or_null, written};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    let named = [members(), applications(), log(), clients()].into_iter().flatten();
    named.map(|(name, schema)| (name.to_owned(), schema)).collect()
}

fn members() -> Vec<(&'static str, Value)> {
    let role = json!({"type": "string", "enum": Role::ALL.map(Role::as_str)});
    let member = json!({
        "id": text(), "email": text(), "added_at": moment(), "grants": list_of("role"),
    });
    let mut added = member.clone();
    added["password"] = json!({"type": "string", "description": "Told once."});
    let place = json!({"type": ["string", "null"], "description": "The id of a project; null for the whole server."});
    let code = json!({"type": "boolean", "description": "Whether custom code may be written."});
    vec![
        ("member", record("A member.", member)),
        (
            "token_holder",
            record(
                "Whose token this is, and what it allows.",
                json!({
                    "id": text(), "email": text(), "grants": list_of("role"),
                    "scopes": {"type": "array", "items": {"type": "string", "enum": Scope::ALL.map(Scope::as_str)}},
                    "client_id": text(),
                }),
            ),
        ),
        ("added_member", record("A new member, with the password.", added)),
        (
            "role",
            record("A role in a place.", json!({"role": role, "project": place, "code": code})),
        ),
        (
            "member_to_add",
            written(
                "Somebody who is to become a member.",
                json!({"email": text(), "role": role, "project": place, "code": code}),
                &["email", "role"],
            ),
        ),
        (
            "member_patch",
            written(
                "All roles from now on.",
                json!({"grants": {"type": "array", "items": written("A role in a place.", json!({"role": role, "project": place, "code": code}), &["role"])}}),
                &[],
            ),
        ),
        ("member_action", action("What to do.", &["reset_password", "remove_passkeys"])),
        (
            "connected_application",
            record(
                "An application that may act for a member.",
                json!({
                    "client_id": text(), "name": text(), "scope": text(), "allowed_at": moment(),
                    "last_used_at": {"type": ["string", "null"], "format": "date-time"},
                }),
            ),
        ),
        (
            "member_acted",
            written(
                "What came of it.",
                json!({"password": text(), "passkeys_removed": {"type": "integer"}}),
                &[],
            ),
        ),
    ]
}

fn applications() -> Vec<(&'static str, Value)> {
    let kind = json!({"type": "string", "enum": ["confidential", "public"]});
    let addresses = json!({"type": "array", "items": text()});
    let client = json!({
        "client_id": text(),
        "name": text(),
        "type": kind,
        "redirect_uris": addresses,
        "scope": text_or_null(),
        "declared_in_project_file": {"type": "boolean"},
        "disabled_at": {"type": ["string", "null"], "format": "date-time"},
    });
    let mut added = client.clone();
    added["secret_id"] = text_or_null();
    added["client_secret"] = json!({"type": ["string", "null"], "description": "Told once."});
    let secret = json!({
        "id": text(), "note": text(), "created_at": moment(),
        "last_used_at": {"type": ["string", "null"], "format": "date-time"},
    });
    let written_client =
        json!({"name": text(), "redirect_uris": addresses, "type": kind, "scope": text()});
    let patch = json!({"name": text(), "redirect_uris": addresses, "scope": text()});
    vec![
        ("client", record("An application: an OAuth client.", client)),
        ("added_client", record("A new application, with its secret.", added)),
        (
            "client_to_add",
            written("An application to be.", written_client, &["name", "redirect_uris"]),
        ),
        ("client_patch", written("What changes of an application.", patch, &[])),
        ("client_action", action("What to do.", &["disable", "enable"])),
        ("client_secret", record("What is known of a secret.", secret)),
        ("client_secret_to_add", written("A secret to be.", json!({"note": text()}), &[])),
        (
            "added_client_secret",
            record(
                "A new secret.",
                json!({"id": text(), "client_secret": {"type": "string", "description": "Told once."}}),
            ),
        ),
    ]
}

fn log() -> Vec<(&'static str, Value)> {
    let member = record("Whom it is about.", json!({"id": text(), "email": text_or_null()}));
    let project = record(
        "What it did to a project.",
        json!({"id": text(), "entity": text(), "change": {"description": "A JSON Patch, or null."}, "request_id": text_or_null()}),
    );
    let or_null = |schema: Value| json!({"anyOf": [schema, {"type": "null"}]});
    let entry = json!({
        "id": text(), "at": moment(), "event": text(), "by": text(), "member": or_null(member),
        "client_id": text_or_null(), "address": text_or_null(), "detail": text_or_null(),
        "count": {"type": ["integer", "null"]}, "project": or_null(project),
        "seal": {"type": ["integer", "null"]}, "prev_hash": text_or_null(), "hash": text_or_null(),
    });
    vec![("audit_entry", record("Who did what to whom, when and from where.", entry))]
}

fn clients() -> Vec<(&'static str, Value)> {
    let error = json!({
        "error": {"type": "string", "description": "For programs (RFC 6749 section 5.2)."},
        "error_description": text(),
    });
    let tokens = json!({
        "access_token": text(),
        "token_type": {"const": "bearer"},
        "expires_in": {"type": "integer", "description": "Seconds."},
        "refresh_token": text(),
    });
    let parameters = json!({
        "grant_type": {"type": "string", "enum": ["authorization_code", "refresh_token"]},
        "code": text(), "redirect_uri": text(), "code_verifier": text(), "refresh_token": text(),
        "scope": text(), "client_id": text(), "client_secret": text(),
    });
    let token = json!({
        "token": text(),
        "token_type_hint": {"type": "string", "enum": ["access_token", "refresh_token"]},
        "client_id": text(), "client_secret": text(),
    });
    let introspection = json!({
        "active": {"type": "boolean"}, "scope": text(), "client_id": text(), "sub": text(),
        "exp": {"type": "integer"}, "iss": text(), "token_type": text(),
    });
    let mut request = written("What a client asks for.", parameters, &["grant_type"]);
    let mut about_token = written("A token, and who asks.", token, &["token"]);
    for schema in [&mut request, &mut about_token] {
        schema["additionalProperties"] = text();
    }
    vec![
        ("oauth_error", record("Why a client was refused.", error)),
        ("tokens", written("Tokens.", tokens, &["access_token", "token_type", "expires_in"])),
        ("token_request", request),
        ("token_to_judge", about_token),
        ("introspection", written("Whether a token is good.", introspection, &["active"])),
        ("nothing", written("An empty object.", json!({}), &[])),
        (
            "metadata",
            json!({"description": "RFC 8414.", "type": "object", "required": ["issuer", "token_endpoint"], "properties": {"issuer": text(), "token_endpoint": text()}}),
        ),
    ]
}
