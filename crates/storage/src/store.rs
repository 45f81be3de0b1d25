//! The store as use cases see it: whole operations, each done or not done. What was answered is durable.

use async_trait::async_trait;
use oauth::{Client, ClientId, ClientSecret, CredentialHash, ScopeSet, SigningKey, Timestamp};

use crate::{
    AccessGrant, Act, AddCodeOutcome, AddPasskeyOutcome, AddSecretOutcome, AuditChainStore,
    AuditEntry, ChangeClient, ChoosePasswordOutcome, ChosenPassword, ConnectedClient, CountStore,
    EndedEverything, ExchangeCode, ExchangeOutcome, FoundPasskey, IdempotencyStore, LiveStore,
    Member, MemberId, NewAuditEntry, NewAuthorizationCode, NewMember, NewPasskey, NewSession, Page,
    PasskeyLine, ProjectStore, Refresh, RefreshOutcome, Refusal, RenamePasskey, RenewedHash,
    Revoke, RevokeOutcome, RoleStore, ScheduleStore, Session, SessionLine, StorageError,
    TemporaryPassword,
};

/// Everything durable; each further trait is about one subject. Every adapter passes the contract tests of this crate.
///
/// What the audit log tells of an operation is written with it, in one commit.
///
/// All operations fail with [`StorageError::Busy`] or [`StorageError::Unavailable`] when the database cannot do them.
#[async_trait]
pub trait Store:
    AuditChainStore
    + CountStore
    + IdempotencyStore
    + LiveStore
    + ProjectStore
    + RoleStore
    + ScheduleStore
{
    /// Adds a member with their roles. [`StorageError::Conflict`] if the address is taken.
    async fn add_member(&self, member: NewMember) -> Result<MemberId, StorageError>;

    /// The member with this id.
    async fn lookup_member(&self, id: MemberId) -> Result<Option<Member>, StorageError>;

    /// The member with this address.
    async fn find_member_by_email(&self, email: &str) -> Result<Option<Member>, StorageError>;

    /// Puts a password that a member chose in the place of the one that they know, if that is still theirs, and ends all their
    /// sessions but the one in which they do it.
    async fn choose_password(
        &self,
        chosen: ChosenPassword,
    ) -> Result<ChoosePasswordOutcome, StorageError>;

    /// Gives a member a temporary password, and ends all their sessions and all that they allowed applications.
    async fn reset_password(&self, password: TemporaryPassword) -> Result<(), StorageError>;

    /// Puts a stronger hash of the same password in the place of the one before, if that is still there.
    async fn renew_password_hash(&self, renewed: RenewedHash) -> Result<(), StorageError>;

    /// Starts a session, and ends the one that it replaces. [`StorageError::Conflict`] if the password is not the one any more
    /// that was checked, the challenge that a passkey answered was answered before, or the passkey is not as it was then.
    async fn add_session(&self, session: NewSession) -> Result<(), StorageError>;

    /// The session with this hash, unless it is over: idle for too long, or too old.
    async fn find_session(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<Session>, StorageError>;

    /// Ends a session, if there is one: its member signs out.
    async fn remove_session(&self, hash: &CredentialHash, act: Act) -> Result<(), StorageError>;

    /// The sessions of a member that are not over, those used last first, up to a hundred.
    async fn list_sessions(
        &self,
        member: MemberId,
        now: Timestamp,
    ) -> Result<Vec<SessionLine>, StorageError>;

    /// Ends a session of a member by its id; tells whether there was one.
    async fn end_session(&self, member: MemberId, id: &str, act: Act)
    -> Result<bool, StorageError>;

    /// Ends all sessions of a member but the one with this hash; tells whether there were any.
    async fn end_other_sessions(
        &self,
        member: MemberId,
        kept: &CredentialHash,
        act: Act,
    ) -> Result<bool, StorageError>;

    /// Adds a passkey. [`StorageError::Conflict`] if it is there already, or the challenge was answered before.
    async fn add_passkey(&self, passkey: NewPasskey) -> Result<AddPasskeyOutcome, StorageError>;

    /// The passkey that authenticators call by this id.
    async fn find_passkey(
        &self,
        credential_id: &[u8],
    ) -> Result<Option<FoundPasskey>, StorageError>;

    /// The passkeys of a member, those added first first.
    async fn list_passkeys(&self, member: MemberId) -> Result<Vec<PasskeyLine>, StorageError>;

    /// Renames a passkey of a member; tells whether there is one.
    async fn rename_passkey(&self, rename: RenamePasskey) -> Result<bool, StorageError>;

    /// Removes a passkey of a member; tells whether there was one.
    async fn remove_passkey(
        &self,
        member: MemberId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError>;

    /// Removes all passkeys of a member, and ends all their sessions and all that they allowed applications; tells how many passkeys
    /// there were.
    async fn remove_passkeys(&self, member: MemberId, act: Act) -> Result<usize, StorageError>;

    /// Registers a client. [`StorageError::Conflict`] if the id is taken.
    async fn add_client(&self, client: Client, act: Act) -> Result<(), StorageError>;

    /// Registers a client, or makes the one with its id equal to it. Secrets that it has already stay as they are, and so does
    /// whether it is disabled.
    async fn put_client(&self, client: Client, act: Act) -> Result<(), StorageError>;

    /// The client with this id, disabled or not.
    async fn lookup_client(&self, client_id: &ClientId) -> Result<Option<Client>, StorageError>;

    /// The clients, in the order of their names.
    async fn list_clients(&self, page: Page) -> Result<Vec<Client>, StorageError>;

    /// Changes a client that is as it was when that was decided; tells whether there is one.
    async fn change_client(&self, change: ChangeClient, act: Act) -> Result<bool, StorageError>;

    /// Switches a client off; tells whether there is one. From the answer on its tokens open nothing.
    async fn disable_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError>;

    /// Switches a client on again; tells whether there is one. Tokens that are not over are good again.
    async fn enable_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError>;

    /// Removes a client with its secrets, consents, codes and tokens; tells whether there was one. From the answer on its tokens
    /// open nothing.
    async fn remove_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError>;

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

    /// Ends what a member allowed a client, with the codes and all tokens that came from it; tells whether there was anything.
    async fn disconnect(
        &self,
        member: MemberId,
        client_id: &ClientId,
        act: Act,
    ) -> Result<bool, StorageError>;

    /// Keeps a code, and remembers what its member allowed, beside what they allowed before. The same code may be kept again
    /// until it is spent, then it is a [`StorageError::Conflict`].
    async fn add_authorization_code(
        &self,
        code: NewAuthorizationCode,
    ) -> Result<AddCodeOutcome, StorageError>;

    /// Spends a code and stores the tokens made for it, or tells why not.
    async fn exchange_code(&self, exchange: ExchangeCode) -> Result<ExchangeOutcome, StorageError>;

    /// Stores a new access token for a refresh token, or tells why not.
    async fn refresh(&self, refresh: Refresh) -> Result<RefreshOutcome, StorageError>;

    /// What the access token with this hash allows, unless it or its family is over, or its client may not act: it is disabled, or
    /// has none of the secrets that it needs. Of a token that was used before, this is kept in memory; what ends it, in this process
    /// or another, is noticed within a second, and in this process at once.
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

    /// The server's signing key. `new` becomes it where there is none yet.
    async fn find_or_add_signing_key(&self, new: SigningKey) -> Result<SigningKey, StorageError>;

    /// Writes down what no other operation does.
    async fn add_audit_entry(&self, entry: NewAuditEntry) -> Result<(), StorageError>;

    /// Counts refusals, each so many times more.
    async fn count_refusals(&self, refusals: Vec<(Refusal, u32)>) -> Result<(), StorageError>;

    /// The audit log, newest entries first.
    async fn list_audit_entries(&self, page: Page) -> Result<Vec<AuditEntry>, StorageError>;

    /// When the newest code, access token, session or audit entry was stored that is still there: the present is no earlier,
    /// whatever a clock says.
    async fn newest_moment(&self) -> Result<Option<Timestamp>, StorageError>;

    /// Whether the database takes writes.
    async fn is_writable(&self) -> Result<(), StorageError>;
}
