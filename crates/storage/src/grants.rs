//! What a client got for an authorization code: one family of access and refresh tokens, which end together.

use std::net::IpAddr;

use async_trait::async_trait;
use oauth::{ACCESS_TOKEN, ClientId, CredentialHash, ScopeSet, Timestamp};

use crate::access_cache::CachedToken;
use crate::row::Row;
use crate::stored::{client_id, scope};
use crate::{MemberId, NewKeys, StorageError};

/// Grants: what a client got for an authorization code, with all its access and refresh tokens.
#[async_trait]
pub trait GrantStore: Send + Sync + 'static {
    /// Stores a new access token for a refresh token, or returns why not.
    async fn refresh(&self, refresh: Refresh) -> Result<RefreshOutcome, StorageError>;

    /// What the access token or API token with this hash allows, unless it or its family is over, or its client may not act: it is disabled, or
    /// has none of the secrets that it needs. For a token that was used before, the answer is cached; what ends it, in this process
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

    /// Ends a client's token: a refresh token with everything that its authorization gave, an access token alone.
    async fn revoke(&self, revoke: Revoke) -> Result<RevokeOutcome, StorageError>;

    /// Ends every token family, code, session, link and invitation, and removes every API token and service: after a copy of the database
    /// was restored, which does not know what was revoked since. New keys take the place of the server's.
    async fn end_everything(
        &self,
        keys: NewKeys,
        now: Timestamp,
    ) -> Result<EndedEverything, StorageError>;
}

/// An attempt to refresh. The client has proved who it is.
#[derive(Debug)]
pub struct Refresh {
    /// The refresh token's hash.
    pub refresh_token: CredentialHash,
    /// The client that refreshes it.
    pub client_id: ClientId,
    /// The hash of the access token to issue.
    pub access_token: CredentialHash,
    /// What happens to the refresh token.
    pub rotation: Rotation,
    /// A narrower scope, if one is wanted.
    pub scope: Option<ScopeSet>,
    /// The most that the client may be given now: its registration may have been narrowed since the member allowed more.
    pub widest_scope: ScopeSet,
    /// Tokens issued for this one since then were requested at the same moment as this.
    pub at_once_since: Option<Timestamp>,
    /// From where.
    pub address: Option<IpAddr>,
    /// When.
    pub now: Timestamp,
}

/// What happens to a refresh token that is used.
#[derive(Debug, Clone, Copy)]
pub enum Rotation {
    /// The client keeps it.
    Keep,
    /// The client gets this one (its hash) in its place.
    Replace(CredentialHash),
    /// The client gets this one as well as those that others of its requests got while this one waited. The first of them that it
    /// uses replaces the others.
    ReplaceBeside(CredentialHash),
}

/// What became of an attempt to refresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefreshOutcome {
    /// The tokens are stored.
    Refreshed(ScopeSet),
    /// They are stored for less than was granted: the client, which named no scope, may be given no more now.
    Narrowed(ScopeSet),
    /// There is no such token (any more).
    Unknown,
    /// It was not used for too long, or its family is too old, or a clock that was far ahead started it.
    Expired,
    /// The family has ended.
    Ended,
    /// It was issued to another client, which keeps it.
    OtherClient,
    /// It was spent and its successor seen, or spent too long ago, or replaced when an answer was taken for lost: two hold it, so the family
    /// has ended now (RFC 9700 section 4.14.2).
    Reused,
    /// More was asked for than was granted, or than the client may be given now. Nothing has changed.
    ScopeTooWide,
    /// The client may be given nothing now of what was granted. Nothing has changed.
    NothingLeft,
}

/// An attempt to revoke a token, of whichever kind. The client has proved who it is.
#[derive(Debug)]
pub struct Revoke {
    /// The token's hash.
    pub token: CredentialHash,
    /// The client that revokes it.
    pub client_id: ClientId,
    /// From where.
    pub address: Option<IpAddr>,
    /// When.
    pub now: Timestamp,
}

/// What became of an attempt to revoke a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevokeOutcome {
    /// A refresh token, and with it everything that its authorization gave.
    FamilyEnded,
    /// An access token, and nothing else.
    AccessTokenRemoved,
    /// There is no such token (any more), or another client's, which keeps it.
    NotTheirs,
}

/// How much has ended when everything did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedEverything {
    /// Authorizations of clients, with all their tokens.
    pub families: u64,
    /// Sessions of members.
    pub sessions: u64,
    /// API tokens, which are removed.
    pub api_tokens: u64,
    /// Services, which are removed with their tokens.
    pub services: u64,
}

/// What an access token allows, or a refresh token can give.
#[derive(Debug, Clone)]
pub struct AccessGrant {
    /// In whose name.
    pub member: MemberId,
    /// Which client.
    pub client_id: ClientId,
    /// What.
    pub scope: ScopeSet,
    /// Until when.
    pub expires_at: Timestamp,
}

impl AccessGrant {
    /// Whether this access token is valid: once the clock is right again, tokens from when it was far ahead are not.
    pub(crate) fn is_of_this_time(&self, now: Timestamp) -> bool {
        self.expires_at.is_end_of_something_good(ACCESS_TOKEN, now)
    }
}

/// An access token that was found.
pub(crate) struct FoundToken {
    pub(crate) token: CachedToken,
    pub(crate) generation: i64,
    /// Whether it is the first of its generation to be used.
    pub(crate) is_first_use: bool,
}

impl FoundToken {
    /// The token with this hash.
    pub(crate) fn from_row(hash: CredentialHash, row: &impl Row) -> Result<Self, StorageError> {
        let grant = AccessGrant {
            member: MemberId::from_row(row.column(0)?),
            client_id: client_id(&row.column::<String>(1)?)?,
            scope: scope(&row.column::<String>(2)?)?,
            expires_at: Timestamp::from_milliseconds(row.column(3)?),
        };
        let token = CachedToken::of_family(hash, row.column(4)?, grant);
        let generation = row.column(5)?;
        Ok(Self { token, generation, is_first_use: generation > row.column(6)? })
    }
}
