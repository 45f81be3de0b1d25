//! The store as use cases see it: whole operations, each done or not done. An answered operation is durable.
//!
//! The operations are in one trait for each subject; the file of the subject has it, with the types that it takes and gives.

use async_trait::async_trait;
use oauth::{SigningKey, Timestamp};

use crate::{
    ApiTokenStore, AuditChainStore, AuditStore, AuthorizationCodeStore, ClientSecretStore,
    ClientStore, ConsentStore, CountStore, DeletedProjectStore, DraftSourceStore, EventStore,
    EventsKeyStore, GrantStore, IdempotencyStore, IdentityStore, InstallationStore,
    InvitationStore, KeyUse, LiveStore, MemberStore, PasskeyStore, PreviewLinkStore, ProjectStore,
    ResourceChangeStore, ResultsLinkStore, RevisionStore, RoleStore, ScheduleStore, SessionStore,
    StorageError, WebhookStore,
};

/// How busy the connections to the database are. SQLite's are those that read: its one writer is always there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseLoad {
    /// Connections that work.
    pub in_use: usize,
    /// As many as may work at once.
    pub at_most: usize,
    /// Operations that wait for a connection.
    pub waiting: usize,
}

/// Everything durable: the sum of the stores of all subjects. Every adapter passes the contract tests of this crate.
///
/// The audit entry of an operation is written with it, in one commit.
///
/// All operations fail with [`StorageError::Busy`] or [`StorageError::Unavailable`] when the database cannot do them.
#[async_trait]
pub trait Store:
    ApiTokenStore
    + AuditChainStore
    + AuditStore
    + AuthorizationCodeStore
    + ClientSecretStore
    + ClientStore
    + ConsentStore
    + CountStore
    + DeletedProjectStore
    + DraftSourceStore
    + EventStore
    + EventsKeyStore
    + GrantStore
    + IdempotencyStore
    + InstallationStore
    + InvitationStore
    + IdentityStore
    + LiveStore
    + MemberStore
    + PasskeyStore
    + PreviewLinkStore
    + ProjectStore
    + ResourceChangeStore
    + ResultsLinkStore
    + RevisionStore
    + RoleStore
    + ScheduleStore
    + SessionStore
    + WebhookStore
{
    /// The server's key for this use. `new` becomes the lasting one where there is none yet.
    async fn find_or_add_signing_key(
        &self,
        key_use: KeyUse,
        new: SigningKey,
    ) -> Result<SigningKey, StorageError>;

    /// When the newest code, access token, session or audit entry was stored that is still there: the present is no earlier,
    /// whatever a clock says.
    async fn newest_moment(&self) -> Result<Option<Timestamp>, StorageError>;

    /// What the database's own clock shows, by which all processes on it can agree. `None` if it has no other clock than this machine's.
    async fn database_time(&self) -> Result<Option<Timestamp>, StorageError>;

    /// How busy the database is at this moment.
    fn load(&self) -> DatabaseLoad;

    /// How often a log could not be moved into its file since this was last asked. PostgreSQL looks after its own.
    fn take_failed_checkpoints(&self) -> u64 {
        0
    }

    /// Whether the database takes writes.
    async fn is_writable(&self) -> Result<(), StorageError>;
}
