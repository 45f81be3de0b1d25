//! The secrets of clients, as they are stored.

use async_trait::async_trait;
use oauth::{ClientId, ClientSecret, Timestamp};

use crate::{Act, StorageError};

/// The secrets of clients.
#[async_trait]
pub trait ClientSecretStore: Send + Sync + 'static {
    /// Gives a client another secret, beside the one it may have.
    async fn add_client_secret(
        &self,
        client_id: &ClientId,
        secret: ClientSecret,
        act: Act,
    ) -> Result<AddSecretOutcome, StorageError>;

    /// Removes a secret of a client; tells whether there was one. While a confidential client has no secret at all, its tokens open
    /// nothing.
    async fn remove_client_secret(
        &self,
        client_id: &ClientId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError>;

    /// Notes that a secret was used, unless that was noted within the last minute.
    async fn note_secret_use(
        &self,
        client_id: &ClientId,
        id: &str,
        now: Timestamp,
    ) -> Result<(), StorageError>;
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
