//! How values are written into columns, and read back: alike in both databases.

use domain::ProjectId;
use oauth::{Client, ClientId, ClientKind, CredentialHash, RedirectUri, ScopeSet};

use crate::StorageError;

const CONFIDENTIAL: &str = "confidential";
const PUBLIC: &str = "public";

/// A client as the columns of its row.
pub(crate) struct ClientRow {
    pub(crate) client_id: String,
    pub(crate) name: String,
    pub(crate) kind: String,
    /// One on each line.
    pub(crate) redirect_uris: String,
    /// One after the other.
    pub(crate) secret_hashes: Vec<u8>,
}

impl From<&Client> for ClientRow {
    fn from(client: &Client) -> Self {
        let kind = match client.kind {
            ClientKind::Confidential => CONFIDENTIAL,
            ClientKind::Public => PUBLIC,
        };
        // No redirect URI has a line break: registration sees to it.
        let uris: Vec<&str> = client.redirect_uris.iter().map(RedirectUri::as_str).collect();
        Self {
            client_id: client.client_id.as_str().to_owned(),
            name: client.name.clone(),
            kind: kind.to_owned(),
            redirect_uris: uris.join("\n"),
            secret_hashes: client.secret_hashes.iter().flat_map(|hash| *hash.as_bytes()).collect(),
        }
    }
}

impl TryFrom<ClientRow> for Client {
    type Error = StorageError;

    fn try_from(row: ClientRow) -> Result<Self, StorageError> {
        let kind = match row.kind.as_str() {
            CONFIDENTIAL => ClientKind::Confidential,
            PUBLIC => ClientKind::Public,
            _ => return Err(StorageError::corrupt("client kind")),
        };
        let (secret_hashes, rest) = row.secret_hashes.as_chunks::<32>();
        if !rest.is_empty() {
            return Err(StorageError::corrupt("client secret hash"));
        }
        let uris = row.redirect_uris.lines().map(str::to_owned).map(RedirectUri::registered);
        Ok(Self {
            client_id: client_id(&row.client_id)?,
            name: row.name,
            kind,
            redirect_uris: uris.collect(),
            secret_hashes: secret_hashes.iter().copied().map(CredentialHash::from_bytes).collect(),
        })
    }
}

/// A stored scope.
pub(crate) fn scope(text: &str) -> Result<ScopeSet, StorageError> {
    ScopeSet::parse(text).map_err(|_| StorageError::corrupt("scope"))
}

/// A stored client id.
pub(crate) fn client_id(text: &str) -> Result<ClientId, StorageError> {
    text.parse().map_err(|_| StorageError::corrupt("client id"))
}

/// A stored hash, or key.
pub(crate) fn bytes(stored: &[u8]) -> Result<[u8; 32], StorageError> {
    stored.try_into().map_err(|_| StorageError::corrupt("hash"))
}

/// A stored project id.
pub(crate) fn project_id(id: i64) -> Result<ProjectId, StorageError> {
    let id = u64::try_from(id).ok().and_then(ProjectId::new);
    id.ok_or_else(|| StorageError::corrupt("project id"))
}

/// How a project id is stored.
pub(crate) fn project_row_id(id: ProjectId) -> i64 {
    i64::try_from(id.get()).expect("ids are below 2^53")
}

/// A stored revision number.
pub(crate) fn revision_number(number: i64) -> Result<u32, StorageError> {
    u32::try_from(number).map_err(|_| StorageError::corrupt("revision number"))
}
