//! A member lists the applications that may act for them.

use oauth::{ScopeSet, Timestamp};
use storage::{ConnectedClient, StorageError};

use crate::App;
use crate::grants::host_of;
use crate::sessions::SignedIn;

/// An application that a member allowed something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectedApplication {
    /// Its client id in the protocol.
    pub client_id: String,
    /// Its name. The application chose it, so pages show its hosts beside it.
    pub name: String,
    /// The hosts of its redirect URIs, each once.
    pub hosts: Vec<String>,
    /// The scope it may use.
    pub scope: ScopeSet,
    /// When the member allowed it.
    pub allowed_at: Timestamp,
    /// When it last got a token, to about an hour.
    pub last_used_at: Option<Timestamp>,
}

/// The applications that this member allowed something, ordered by name.
///
/// # Errors
/// When the store does not answer.
pub async fn list_connected_applications(
    app: &App,
    member: &SignedIn,
) -> Result<Vec<ConnectedApplication>, StorageError> {
    let connections = app.store().list_connections(member.id).await?;
    Ok(connections.into_iter().map(ConnectedApplication::from).collect())
}

impl From<ConnectedClient> for ConnectedApplication {
    fn from(client: ConnectedClient) -> Self {
        let uris = client.redirect_uris.iter();
        let mut hosts: Vec<String> = uris.map(|uri| host_of(uri.as_str())).collect();
        hosts.sort_unstable();
        hosts.dedup();
        Self {
            client_id: client.client_id.to_string(),
            name: client.client_name,
            hosts,
            scope: client.scope,
            allowed_at: client.allowed_at,
            last_used_at: client.last_used_at,
        }
    }
}
