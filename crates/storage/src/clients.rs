//! What can be done with clients and with what members allowed them, as it is stored.

use oauth::{Client, ClientId, CredentialHash, RedirectUri, ScopeSet, Timestamp};

/// What is to be different about a client.
#[derive(Debug, Clone)]
pub struct ChangeClient {
    /// Which client.
    pub client_id: ClientId,
    /// Its name when that was decided.
    pub name_before: String,
    /// Its redirect URIs then.
    pub redirect_uris_before: Vec<RedirectUri>,
    /// Its new name, unless it keeps the one it has.
    pub name: Option<String>,
    /// Its new redirect URIs, unless it keeps those it has.
    pub redirect_uris: Option<Vec<RedirectUri>>,
    /// Its new scope, unless it keeps the one it has.
    pub scope: Option<ScopeSet>,
}

impl ChangeClient {
    /// What is to be different, in words of the audit log.
    pub(crate) fn parts(&self) -> String {
        let name = self.name.as_ref().map(|_| "name");
        let redirect_uris = self.redirect_uris.as_ref().map(|_| "redirect_uris");
        let scope = self.scope.map(|_| "scope");
        [name, redirect_uris, scope].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// What is different about a client that is declared again, in words of the audit log; `None` if nothing is to be written.
pub(crate) fn differences(before: &Client, after: &Client) -> Option<String> {
    let hashes = |client: &Client| -> Vec<CredentialHash> {
        client.secrets.iter().map(|secret| secret.hash).collect()
    };
    let parts = [
        ("name", before.name != after.name),
        ("type", before.kind != after.kind),
        ("redirect_uris", before.redirect_uris != after.redirect_uris),
        ("scope", before.scope != after.scope),
        ("secrets", hashes(before) != hashes(after)),
        ("origin", before.origin != after.origin),
    ];
    let parts: Vec<_> =
        parts.into_iter().filter(|(_, differs)| *differs).map(|(part, _)| part).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// What became of another secret for a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddSecretOutcome {
    /// The client has it.
    Added,
    /// There is no such client.
    UnknownClient,
    /// The client has as many as it may have.
    TooMany,
}

/// More applications than anybody would look through on one page.
pub(crate) const CONNECTIONS_AT_MOST: i64 = 1_000;

/// A client that a member allowed something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectedClient {
    /// The client.
    pub client_id: ClientId,
    /// Its name for people.
    pub client_name: String,
    /// Where answers to its authorization requests may go.
    pub redirect_uris: Vec<RedirectUri>,
    /// What it may do.
    pub scope: ScopeSet,
    /// Since when.
    pub allowed_at: Timestamp,
    /// When it last got a token, to about an hour.
    pub last_used_at: Option<Timestamp>,
}
