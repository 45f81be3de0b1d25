//! What members allowed clients, as it is stored.

use async_trait::async_trait;
use oauth::{ClientId, RedirectUri, ScopeSet, Timestamp};

use crate::row::Row;
use crate::stored::{client_id, redirect_uris, scope};
use crate::{Act, MemberId, StorageError};

/// What members allowed clients.
#[async_trait]
pub trait ConsentStore: Send + Sync + 'static {
    /// What a member has allowed a client before.
    async fn find_consent(
        &self,
        member: MemberId,
        client_id: &ClientId,
    ) -> Result<Option<ScopeSet>, StorageError>;

    /// What a member has allowed clients, in the order of their names, up to a thousand.
    async fn list_connections(
        &self,
        member: MemberId,
    ) -> Result<Vec<ConnectedClient>, StorageError>;

    /// Ends a member's consent to a client, with its codes and tokens; returns whether there was one.
    async fn disconnect(
        &self,
        member: MemberId,
        client_id: &ClientId,
        act: Act,
    ) -> Result<bool, StorageError>;
}

/// More applications than a member would read through on one page.
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

impl ConnectedClient {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let last_used_at = Some(row.column(5)?).filter(|at| *at > 0);
        Ok(Self {
            client_id: client_id(&row.column::<String>(0)?)?,
            client_name: row.column(1)?,
            redirect_uris: redirect_uris(&row.column::<String>(2)?),
            scope: scope(&row.column::<String>(3)?)?,
            allowed_at: Timestamp::from_milliseconds(row.column(4)?),
            last_used_at: last_used_at.map(Timestamp::from_milliseconds),
        })
    }
}
