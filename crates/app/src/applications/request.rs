//! What programs write about applications, and how they read it.

use domain::{Fault, Pointer};
use oauth::{Client, ClientKind, ClientOrigin, ClientSecret, Moment, RedirectUri, Timestamp};
use serde_json::{Value, json};

use crate::applications::add::NewApplication;
use crate::applications::change::ChangedApplication;
use crate::applications::description::ApplicationFault;
use crate::fields::{Fields, texts};

/// A name and some dozen addresses need no more.
pub const APPLICATION_BYTES_AT_MOST: usize = 64 * 1024;

const KINDS: [(&str, ClientKind); 2] =
    [("confidential", ClientKind::Confidential), ("public", ClientKind::Public)];

/// What can be done to an application beside changing what it says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApplicationAction {
    /// It is switched off.
    Disable,
    /// It is switched on again.
    Enable,
}

impl NewApplication {
    /// Reads `name`, `redirect_uris` and perhaps `type` and `scope`.
    ///
    /// # Errors
    /// Everything that is wrong with the form of it.
    pub fn read(text: &str) -> Result<Self, Vec<Fault>> {
        let mut fields = Fields::read(text, &["name", "redirect_uris", "type", "scope"])?;
        let name = fields.text("name");
        let redirect_uris = redirect_uris(&mut fields).unwrap_or_default();
        let kind = if fields.has("type") {
            fields.choice("type", &KINDS)
        } else {
            ClientKind::Confidential
        };
        let scope = fields.has("scope").then(|| fields.text("scope"));
        fields.finish(Self { name, redirect_uris, kind, scope })
    }
}

impl ChangedApplication {
    /// Reads a merge patch (RFC 7396): some of `name`, `redirect_uris` and `scope`.
    ///
    /// # Errors
    /// Everything that is wrong with the form of it.
    pub fn read(text: &str) -> Result<Self, Vec<Fault>> {
        let mut fields = Fields::read(text, &["name", "redirect_uris", "scope"])?;
        let name = fields.has("name").then(|| fields.text("name"));
        let redirect_uris = redirect_uris(&mut fields);
        let scope = fields.has("scope").then(|| fields.text("scope"));
        fields.finish(Self { name, redirect_uris, scope })
    }
}

impl ApplicationAction {
    /// Reads `action`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Self, Vec<Fault>> {
        let mut fields = Fields::read(text, &["action"])?;
        let action =
            fields.choice("action", &[("disable", Self::Disable), ("enable", Self::Enable)]);
        fields.finish(action)
    }
}

/// Reads the `note` of a new secret; it may be missing.
///
/// # Errors
/// What is wrong with the form of it.
pub fn read_note(text: &str) -> Result<String, Vec<Fault>> {
    let mut fields = Fields::read(text, &["note"])?;
    let note = if fields.has("note") { fields.text("note") } else { String::new() };
    fields.finish(note)
}

fn redirect_uris(fields: &mut Fields) -> Option<Vec<String>> {
    fields.may_have("redirect_uris", "a list of addresses", texts)
}

impl ApplicationFault {
    /// The fault, with the place of what is wrong in a body.
    #[must_use]
    pub fn placed(&self) -> Fault {
        let (code, field) = match self {
            Self::UnusableName => ("unusable_name", "name"),
            Self::UnusableNote => ("unusable_note", "note"),
            Self::UnusableScope => ("unusable_scope", "scope"),
            Self::RedirectUriCount | Self::RedirectUri { .. } => {
                ("unusable_redirect_uri", "redirect_uris")
            }
        };
        Fault::error(code, Pointer::root().field(field), self.to_string())
    }
}

/// An application as a JSON object, always with the same fields. Its secrets, whose use changes all the time, are told apart.
#[must_use]
pub fn application_json(client: &Client) -> Value {
    let redirect_uris: Vec<&str> = client.redirect_uris.iter().map(RedirectUri::as_str).collect();
    let kind = KINDS.iter().find(|(_, kind)| *kind == client.kind).map(|(name, _)| name);
    json!({
        "client_id": client.client_id.as_str(),
        "name": client.name,
        "type": kind,
        "redirect_uris": redirect_uris,
        "scope": client.scope.map(|scope| scope.to_string()),
        "declared_in_project_file": client.origin == ClientOrigin::ProjectFile,
        "disabled_at": client.disabled_at.map(machine),
    })
}

/// A secret as a JSON object: what is known of it, never itself.
#[must_use]
pub fn secret_json(secret: &ClientSecret) -> Value {
    json!({
        "id": secret.id,
        "note": secret.note,
        "created_at": machine(secret.created_at),
        "last_used_at": secret.last_used_at.map(machine),
    })
}

fn machine(at: Timestamp) -> String {
    Moment::from(at).machine()
}
