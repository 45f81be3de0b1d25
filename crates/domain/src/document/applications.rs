//! Decodes declarations of OAuth clients.

use std::collections::HashSet;

use super::fields::{Fields, list};
use super::reader::{At, Decoded, Reader};
use super::scalars::{fitting, name};
use crate::limits::{MAX_ENTITIES, MAX_SHORT_LIST};
use crate::{API_TOKEN_CLIENT_PREFIX, ApplicationDeclaration};

/// Decodes the project's applications.
pub(super) fn applications(
    reader: &mut Reader<'_>,
    at: &At<'_>,
) -> Decoded<Vec<ApplicationDeclaration>> {
    let mut taken = HashSet::new();
    list(reader, at, MAX_ENTITIES, |reader, at| {
        let application = application(reader, at)?;
        if taken.insert(application.client_id.clone()) {
            return Ok(application);
        }
        let message =
            format!("another application has the client id `{}`, too", application.client_id);
        reader.refuse(at, at.error("duplicate_id", message))
    })
}

fn application(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<ApplicationDeclaration> {
    let mut fields = Fields::of(reader, at)?;
    let client_id = fields.required("client_id", client_id);
    let name = fields.required("name", name);
    let redirect_uris = fields.required("redirect_uris", redirect_uris);
    let scope = fields.optional("scope", scope);
    let secret_env = fields.optional("secret_env", variable);
    fields.finish();
    Ok(ApplicationDeclaration {
        client_id: client_id?,
        name: name?,
        redirect_uris: redirect_uris?,
        scope: scope?,
        secret_env: secret_env?,
    })
}

/// Visible ASCII characters (RFC 6749, appendix A.1), except those that need escaping in a URL or in Basic authentication.
fn client_id(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let expected = "letters `A-Z a-z`, digits and `-._~`";
    let id = fitting(reader, at, expected, |id| id.bytes().all(is_allowed))?;
    if !id.starts_with(API_TOKEN_CLIENT_PREFIX) {
        return Ok(id);
    }
    let message = format!(
        "`{id}` looks like an API token: ids of those begin with `{API_TOKEN_CLIENT_PREFIX}`"
    );
    reader.refuse(at, at.error("reserved_id", message).hint("begin it with another word"))
}

fn redirect_uris(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<String>> {
    let uris = list(reader, at, MAX_SHORT_LIST, |reader, at| {
        fitting(reader, at, "an absolute address without a fragment", is_redirect_uri)
    })?;
    if uris.is_empty() {
        let fault = at.error("no_redirect_uris", "there is no address to send codes to");
        return reader.refuse(at, fault);
    }
    Ok(uris)
}

/// An absolute URI without a fragment (RFC 6749, 3.1.2). The authorization server sets further rules.
fn is_redirect_uri(text: &str) -> bool {
    let is_of_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    let runs_code =
        |scheme: &str| ["javascript", "data"].contains(&scheme.to_ascii_lowercase().as_str());
    text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#')
        && text.split_once(':').is_some_and(|(scheme, rest)| {
            let starts_well = scheme.starts_with(|first: char| first.is_ascii_alphabetic());
            starts_well
                && scheme.bytes().all(is_of_scheme)
                && !runs_code(scheme)
                && !rest.is_empty()
        })
}

/// The authorization server decides which scopes exist.
fn scope(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || b": ".contains(&byte);
    fitting(reader, at, "names of scopes, such as `config:read publish`, or `all`", |scope| {
        scope.bytes().all(is_allowed) && !scope.trim().is_empty()
    })
}

fn variable(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    fitting(reader, at, "the name of an environment variable, such as `DEMO_SECRET`", |name| {
        name.bytes().all(is_allowed) && !name.starts_with(|first: char| first.is_ascii_digit())
    })
}
