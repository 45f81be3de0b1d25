//! The store as use cases see it: whole operations, each done or not done. What was answered is durable.

use async_trait::async_trait;
use domain::ProjectId;
use oauth::{Client, ClientId, CredentialHash, ScopeSet, SigningKey, Timestamp};

use crate::{
    AccessGrant, EndedEverything, ExchangeCode, ExchangeOutcome, Member, MemberId,
    NewAuthorizationCode, NewMember, NewRevision, NewSession, Page, ProjectSummary, Refresh,
    RefreshOutcome, Revision, Revoke, RevokeOutcome, Session, StorageError,
};

/// Everything durable. Every adapter passes the contract tests of this crate.
///
/// All operations fail with [`StorageError::Busy`] or [`StorageError::Unavailable`] when the database cannot do them.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Adds a member. [`StorageError::Conflict`] if the address is taken.
    async fn add_member(&self, member: NewMember) -> Result<MemberId, StorageError>;

    /// The member with this id.
    async fn lookup_member(&self, id: MemberId) -> Result<Option<Member>, StorageError>;

    /// The member with this address.
    async fn find_member_by_email(&self, email: &str) -> Result<Option<Member>, StorageError>;

    /// Starts a session.
    async fn add_session(&self, session: NewSession) -> Result<(), StorageError>;

    /// The session with this hash, unless it is over: idle for too long, or too old.
    async fn find_session(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<Session>, StorageError>;

    /// Ends a session, if there is one.
    async fn remove_session(&self, hash: &CredentialHash) -> Result<(), StorageError>;

    /// Registers a client. [`StorageError::Conflict`] if the id is taken.
    async fn add_client(&self, client: Client) -> Result<(), StorageError>;

    /// Registers a client, or makes the one with its id equal to it.
    async fn put_client(&self, client: Client) -> Result<(), StorageError>;

    /// The client with this id.
    async fn lookup_client(&self, client_id: &ClientId) -> Result<Option<Client>, StorageError>;

    /// What a member has allowed a client before.
    async fn find_consent(
        &self,
        member: MemberId,
        client_id: &ClientId,
    ) -> Result<Option<ScopeSet>, StorageError>;

    /// Keeps a code, and remembers what its member allowed, beside what they allowed before.
    async fn add_authorization_code(&self, code: NewAuthorizationCode) -> Result<(), StorageError>;

    /// Spends a code and stores the tokens made for it, or tells why not.
    async fn exchange_code(&self, exchange: ExchangeCode) -> Result<ExchangeOutcome, StorageError>;

    /// Stores a new access token for a refresh token, or tells why not.
    async fn refresh(&self, refresh: Refresh) -> Result<RefreshOutcome, StorageError>;

    /// What the access token with this hash allows, unless it or its family is over. Of a token that was used before, this is kept
    /// in memory; what ends it, in this process or another, is noticed within a second, and in this process at once.
    async fn find_access_token(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<AccessGrant>, StorageError>;

    /// What the refresh token with this hash can give, unless it was replaced, or it or its family is over.
    async fn find_refresh_token(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<AccessGrant>, StorageError>;

    /// Ends what a client's token stands for: a refresh token with all that its authorization gave, an access token alone.
    async fn revoke(&self, revoke: Revoke) -> Result<RevokeOutcome, StorageError>;

    /// Ends every token family, every code and every session: after a backup was put back, which knows nothing of what was revoked
    /// since.
    async fn end_everything(&self, now: Timestamp) -> Result<EndedEverything, StorageError>;

    /// Stores a revision and makes it live. The one that is live already is returned as it is.
    async fn publish_revision(&self, revision: NewRevision) -> Result<Revision, StorageError>;

    /// The live revision of a project.
    async fn live_revision(&self, project: ProjectId) -> Result<Option<Revision>, StorageError>;

    /// The newest revision of a project with this snippet, live or not.
    async fn find_revision(
        &self,
        project: ProjectId,
        snippet_hash: &str,
    ) -> Result<Option<Revision>, StorageError>;

    /// The projects, in the order of their ids.
    async fn list_projects(&self, page: Page) -> Result<Vec<ProjectSummary>, StorageError>;

    /// The server's signing key. `new` becomes it where there is none yet.
    async fn find_or_add_signing_key(&self, new: SigningKey) -> Result<SigningKey, StorageError>;

    /// Whether the database takes writes.
    async fn is_writable(&self) -> Result<(), StorageError>;
}
