//! Clients, as they are stored.

use async_trait::async_trait;
use oauth::{Client, ClientId, CredentialHash, RedirectUri, ScopeSet};

use crate::{Act, ListRange, StorageError};

/// Clients: the applications that act for members. Their secrets are in [`crate::ClientSecretStore`].
#[async_trait]
pub trait ClientStore: Send + Sync + 'static {
    /// Registers a client. [`StorageError::Conflict`] if the id is taken.
    async fn add_client(&self, client: Client, act: Act) -> Result<(), StorageError>;

    /// Registers a client, or makes the one with its id equal to it. Secrets that it has already stay as they are, and so does
    /// whether it is disabled.
    async fn put_client(&self, client: Client, act: Act) -> Result<(), StorageError>;

    /// The client with this id, disabled or not.
    async fn lookup_client(&self, client_id: &ClientId) -> Result<Option<Client>, StorageError>;

    /// The clients, in the order of their names.
    async fn list_clients(&self, page: ListRange) -> Result<Vec<Client>, StorageError>;

    /// Changes a client that is as it was when that was decided, and that no project file declares; returns whether there is one.
    async fn change_client(&self, change: ChangeClient, act: Act) -> Result<bool, StorageError>;

    /// Disables a client; returns whether there is one. From the answer on its tokens give no access.
    async fn disable_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError>;

    /// Enables a client again; returns whether there is one. Its unexpired tokens are valid again.
    async fn enable_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError>;

    /// Removes a client with its secrets, consents, codes and tokens; returns whether there was one. From the answer on its tokens
    /// open nothing.
    async fn remove_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError>;
}

/// A change of a client.
#[derive(Debug, Clone)]
pub struct ChangeClient {
    /// Which client.
    pub client_id: ClientId,
    /// Its name when that was decided.
    pub name_before: String,
    /// Its redirect URIs then.
    pub redirect_uris_before: Vec<RedirectUri>,
    /// Its scope then.
    pub scope_before: Option<ScopeSet>,
    /// Its new name, unless it keeps the one it has.
    pub name: Option<String>,
    /// Its new redirect URIs, unless it keeps those it has.
    pub redirect_uris: Option<Vec<RedirectUri>>,
    /// Its new scope, unless it keeps the one it has.
    pub scope: Option<ScopeSet>,
}

impl ChangeClient {
    /// The changed fields, in words of the audit log.
    pub(crate) fn parts(&self) -> String {
        let name = self.name.as_ref().map(|_| "name");
        let redirect_uris = self.redirect_uris.as_ref().map(|_| "redirect_uris");
        let scope = self.scope.map(|_| "scope");
        [name, redirect_uris, scope].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// The changed fields of a client that is declared again, in words of the audit log; `None` if nothing has changed.
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
