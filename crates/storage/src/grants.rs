//! Authorization codes and the tokens they become.

use std::net::IpAddr;

use oauth::{ACCESS_TOKEN, ClientId, CodeChallenge, CredentialHash, ScopeSet, Timestamp};

use crate::MemberId;

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

/// An attempt to refresh. The client has proved who it is.
#[derive(Debug)]
pub struct Refresh {
    /// The refresh token's hash.
    pub refresh_token: CredentialHash,
    /// Who tries.
    pub client_id: ClientId,
    /// The hash of the access token to issue.
    pub access_token: CredentialHash,
    /// What happens to the refresh token.
    pub rotation: Rotation,
    /// A narrower scope, if one is wanted.
    pub scope: Option<ScopeSet>,
    /// What was handed out for the token since then was asked for at the same moment as this.
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

impl ExchangeOutcome {
    /// A code was exchanged that has this in its row.
    pub(crate) fn exchanged(scope: ScopeSet, is_scope_told: i64) -> Self {
        if is_scope_told == 0 { Self::Exchanged(scope) } else { Self::ExchangedUnnamed(scope) }
    }
}

/// What became of an attempt to refresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefreshOutcome {
    /// The tokens are stored.
    Refreshed(ScopeSet),
    /// There is no such token (any more).
    Unknown,
    /// It was not used for too long, or its family is too old.
    Expired,
    /// The family has ended.
    Ended,
    /// It was issued to another client, which keeps it.
    OtherClient,
    /// It was spent and its successor seen, or spent too long ago, or replaced when an answer was taken for lost: two hold it, so the family
    /// has ended now (RFC 9700 section 4.14.2).
    Reused,
    /// More was asked for than was granted. Nothing has changed.
    ScopeTooWide,
}

/// An attempt to revoke a token, of whichever kind. The client has proved who it is.
#[derive(Debug)]
pub struct Revoke {
    /// The token's hash.
    pub token: CredentialHash,
    /// Who revokes it.
    pub client_id: ClientId,
    /// From where.
    pub address: Option<IpAddr>,
    /// When.
    pub now: Timestamp,
}

/// What became of an attempt to revoke a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevokeOutcome {
    /// A refresh token, and with it all that its authorization gave.
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
    /// Whether an access token that allows this is good: a clock that is right again does not keep what it made when it was far ahead.
    pub(crate) fn is_of_this_time(&self, now: Timestamp) -> bool {
        self.expires_at.is_end_of_something_good(ACCESS_TOKEN, now)
    }
}
