//! Members, applications, the audit log, and what the authorization server says to clients.

use app::applications::{
    ApplicationActionRequest, ApplicationDto, ApplicationPatch, ApplicationRequest, SecretDto,
    SecretRequest,
};
use app::invitations::InvitationDto;
use app::members::{MemberActionRequest, MemberDto, MemberPatch, MemberRequest, RoleDto};
use app::tokens::{ApiTokenDto, ApiTokenRequest, ServiceDto};
use serde_json::{Value, json};

use super::{Definition, answered, moment, record, taken, text, text_or_null, written};
use crate::api_tokens::AddedApiTokenDto;
use crate::applications::{AddedApplicationDto, AddedSecretDto};
use crate::invitations::MadeInvitationDto;
use crate::me::TokenHolderDto;
use crate::member_applications::ConnectedApplicationDto;
use crate::members::{AddedMemberDto, MemberActedDto};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    let told = [log(), clients()].into_iter().flatten();
    let told = told.map(|(name, schema)| (name.to_owned(), schema));
    told.chain(members()).chain(applications()).collect()
}

fn members() -> [Definition; 15] {
    [
        answered::<RoleDto>(),
        answered::<MemberDto>(),
        answered::<AddedMemberDto>(),
        answered::<ServiceDto>(),
        answered::<ApiTokenDto>(),
        answered::<AddedApiTokenDto>(),
        answered::<MemberActedDto>(),
        answered::<InvitationDto>(),
        answered::<MadeInvitationDto>(),
        answered::<TokenHolderDto>(),
        answered::<ConnectedApplicationDto>(),
        taken::<MemberRequest>(),
        taken::<ApiTokenRequest>(),
        taken::<MemberPatch>(),
        taken::<MemberActionRequest>(),
    ]
}

fn applications() -> [Definition; 8] {
    [
        answered::<ApplicationDto>(),
        answered::<AddedApplicationDto>(),
        answered::<SecretDto>(),
        answered::<AddedSecretDto>(),
        taken::<ApplicationRequest>(),
        taken::<ApplicationPatch>(),
        taken::<ApplicationActionRequest>(),
        taken::<SecretRequest>(),
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
    vec![("audit_entry", record("An act, with its actor, time and address.", entry))]
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
    let mut about_token = written("A token, and the client that asks about it.", token, &["token"]);
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
