//! The store as use cases see it: whole operations, each done or not done. An answered operation is durable.
//!
//! The operations are in one trait for each subject; the file of the subject has it, with the types that it takes and gives.

use async_trait::async_trait;
use oauth::{SigningKey, Timestamp};

use crate::{
    ApiTokenStore, AuditChainStore, AuditStore, AuthorizationCodeStore, ClientSecretStore,
    ClientStore, ConsentStore, CountStore, EventStore, GrantStore, IdempotencyStore, IdentityStore,
    InstallationStore, InvitationStore, LiveStore, MemberStore, PasskeyStore, PreviewLinkStore,
    ProjectStore, ResourceChangeStore, ResultsLinkStore, RevisionStore, RoleStore, ScheduleStore,
    SessionStore, StorageError,
};

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
    + EventStore
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
{
    /// The server's signing key. `new` becomes it where there is none yet.
    async fn find_or_add_signing_key(&self, new: SigningKey) -> Result<SigningKey, StorageError>;

    /// When the newest code, access token, session or audit entry was stored that is still there: the present is no earlier,
    /// whatever a clock says.
    async fn newest_moment(&self) -> Result<Option<Timestamp>, StorageError>;

    /// Whether the database takes writes.
    async fn is_writable(&self) -> Result<(), StorageError>;
}
