//! Authorization codes, as they are stored, and what becomes of them when they are exchanged.

use std::net::IpAddr;

use async_trait::async_trait;
use oauth::{ClientId, CodeChallenge, CredentialHash, ScopeSet, Timestamp};

use crate::{MemberId, StorageError};

/// Authorization codes: each is kept for a minute and exchanged once.
#[async_trait]
pub trait AuthorizationCodeStore: Send + Sync + 'static {
    /// Keeps a code, and remembers what its member allowed, beside what they allowed before. The same code may be kept again
    /// until it is spent, then it is a [`StorageError::Conflict`].
    async fn add_authorization_code(
        &self,
        code: NewAuthorizationCode,
    ) -> Result<AddCodeOutcome, StorageError>;

    /// Spends a code and stores the tokens made for it, or tells why not.
    async fn exchange_code(&self, exchange: ExchangeCode) -> Result<ExchangeOutcome, StorageError>;
}

/// A code to keep, and the consent it stands for.
#[derive(Debug)]
pub struct NewAuthorizationCode {
    /// The code's hash.
    pub hash: CredentialHash,
    /// The client it is for.
    pub client_id: ClientId,
    /// Who allowed it.
    pub member: MemberId,
    /// Where it is sent.
    pub redirect_uri: String,
    /// What was allowed.
    pub scope: ScopeSet,
    /// Whether the client named it. If not, the exchange tells it.
    pub names_scope: bool,
    /// PKCE, if the client uses it.
    pub code_challenge: Option<CodeChallenge>,
    /// Whether the member was asked.
    pub consent: Consent,
    /// The session in which they allowed it, which has to be alive in the commit.
    pub session: CredentialHash,
    /// When.
    pub now: Timestamp,
}

/// What became of a code to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddCodeOutcome {
    /// It is kept.
    Kept,
    /// The session in which it was allowed has ended.
    SignedOut,
}

/// How a member came to allow something.
#[derive(Debug, Clone, Copy)]
pub enum Consent {
    /// They said so now, from this address.
    Given(Option<IpAddr>),
    /// They had allowed as much before.
    Remembered,
}

/// An attempt to exchange a code. The client has proved who it is.
#[derive(Debug)]
pub struct ExchangeCode {
    /// The code's hash.
    pub code: CredentialHash,
    /// Who tries.
    pub client_id: ClientId,
    /// Where the code was sent, as the client says.
    pub redirect_uri: String,
    /// The challenge that the client's verifier answers, if it sent one.
    pub code_challenge: Option<CodeChallenge>,
    /// The hash of the access token to issue.
    pub access_token: CredentialHash,
    /// The hash of the refresh token to issue.
    pub refresh_token: CredentialHash,
    /// From where.
    pub address: Option<IpAddr>,
    /// When.
    pub now: Timestamp,
}

/// What became of an attempt to exchange a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangeOutcome {
    /// The code is spent and the tokens are stored.
    Exchanged(ScopeSet),
    /// The same, and the client has to be told the scope, of which it named none.
    ExchangedUnnamed(ScopeSet),
    /// There is no such code (any more).
    Unknown,
    /// It lived too long.
    Expired,
    /// Its own client has used it before: the tokens from then have ended (RFC 6749 section 4.1.2).
    AlreadyUsed,
    /// It was issued to another client, which keeps it.
    OtherClient,
    /// It was sent elsewhere.
    RedirectUriMismatch,
    /// The verifier does not answer the challenge, is missing, or answers none.
    CodeChallengeMismatch,
}

impl ExchangeOutcome {
    /// A code was exchanged that has this in its row.
    pub(crate) fn exchanged(scope: ScopeSet, is_scope_told: i64) -> Self {
        if is_scope_told == 0 { Self::Exchanged(scope) } else { Self::ExchangedUnnamed(scope) }
    }
}
