//! Authorization codes, as they are stored, and what becomes of them when they are exchanged.

use std::net::IpAddr;

use async_trait::async_trait;
use oauth::{AUTHORIZATION_CODE, ClientId, CodeChallenge, CredentialHash, ScopeSet, Timestamp};

use crate::invalidation::{Change, Invalidation};
use crate::row::Row;
use crate::{MemberId, StorageError};

/// Authorization codes: each is stored for a minute and exchanged once.
#[async_trait]
pub trait AuthorizationCodeStore: Send + Sync + 'static {
    /// Stores a code, and adds the member's consent to their earlier ones. The same code may be kept again
    /// until it is spent, then it is a [`StorageError::Conflict`].
    async fn add_authorization_code(
        &self,
        code: NewAuthorizationCode,
    ) -> Result<AddCodeOutcome, StorageError>;

    /// Spends a code and stores the tokens made for it, or returns why not.
    async fn exchange_code(&self, exchange: ExchangeCode) -> Result<ExchangeOutcome, StorageError>;
}

/// A code to store, and its consent.
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
    /// The scopes of the consent.
    pub scope: ScopeSet,
    /// Whether the client named it. If not, the answer to the exchange does.
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
    /// It is stored.
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
    /// The client that exchanges it.
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
    /// The same, but the answer must name the scope, because the client did not.
    ExchangedUnnamed(ScopeSet),
    /// There is no such code (any more).
    Unknown,
    /// It lived too long, or a clock that was far ahead made it.
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

/// A code that was not spent, as it is stored.
pub(crate) struct StoredCode {
    client_id: String,
    redirect_uri: String,
    expires_at: Timestamp,
}

/// The family of tokens that a code has become.
pub(crate) struct FamilyOfCode {
    id: i64,
    client_id: String,
}

impl StoredCode {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self {
            client_id: row.column(0)?,
            redirect_uri: row.column(1)?,
            expires_at: Timestamp::from_milliseconds(row.column(2)?),
        })
    }

    /// Whether the code has not expired, and was not made by a clock that was far ahead.
    fn is_of_this_time(&self, now: Timestamp) -> bool {
        self.expires_at.is_end_of_something_good(AUTHORIZATION_CODE, now)
    }
}

impl FamilyOfCode {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self { id: row.column(0)?, client_id: row.column(1)? })
    }
}

/// Why a code could not be spent: it is still there and something about the exchange is wrong, or it has become a family. When its own client
/// uses it twice, two may hold it, so the family ends (RFC 6749 section 4.1.2).
pub(crate) fn refuse(
    code: Option<&StoredCode>,
    family: Option<&FamilyOfCode>,
    exchange: &ExchangeCode,
) -> (ExchangeOutcome, Change) {
    let client_id = exchange.client_id.as_str();
    let outcome = match (code, family) {
        (Some(code), _) if code.client_id != client_id => ExchangeOutcome::OtherClient,
        (Some(code), _) if !code.is_of_this_time(exchange.now) => ExchangeOutcome::Expired,
        (Some(code), _) if code.redirect_uri != exchange.redirect_uri => {
            ExchangeOutcome::RedirectUriMismatch
        }
        (Some(_), _) => ExchangeOutcome::CodeChallengeMismatch,
        (None, None) => ExchangeOutcome::Unknown,
        (None, Some(family)) if family.client_id != client_id => ExchangeOutcome::OtherClient,
        (None, Some(family)) => {
            let ended = Change::Ended(Invalidation::Family(family.id));
            return (ExchangeOutcome::AlreadyUsed, ended);
        }
    };
    (outcome, Change::Nothing)
}

#[cfg(test)]
mod tests {
    use oauth::{CodeChallenge, Timestamp};

    use super::{ExchangeCode, ExchangeOutcome, FamilyOfCode, StoredCode, refuse};
    use crate::invalidation::{Change, Invalidation};

    const CALLBACK: &str = "https://reports.example/callback";

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_milliseconds(milliseconds)
    }

    fn exchange(redirect_uri: &str, now: i64) -> ExchangeCode {
        let hash = |text| oauth::hash(text).unwrap();
        ExchangeCode {
            code: hash("code"),
            client_id: "reports".parse().unwrap(),
            redirect_uri: redirect_uri.to_owned(),
            code_challenge: None::<CodeChallenge>,
            access_token: hash("access"),
            refresh_token: hash("refresh"),
            address: None,
            now: at(now),
        }
    }

    fn code(client_id: &str) -> StoredCode {
        let (client_id, redirect_uri) = (client_id.to_owned(), CALLBACK.to_owned());
        StoredCode { client_id, redirect_uri, expires_at: at(60) }
    }

    fn family(client_id: &str) -> FamilyOfCode {
        FamilyOfCode { id: 7, client_id: client_id.to_owned() }
    }

    #[test]
    fn a_code_that_is_still_there_is_refused_for_the_first_thing_that_is_wrong() {
        let elsewhere = "https://reports.example/other";
        for (client_id, redirect_uri, now, expected) in [
            ("mallory", elsewhere, 60, ExchangeOutcome::OtherClient),
            ("reports", elsewhere, 60, ExchangeOutcome::Expired),
            ("reports", elsewhere, 59, ExchangeOutcome::RedirectUriMismatch),
            ("reports", CALLBACK, 59, ExchangeOutcome::CodeChallengeMismatch),
        ] {
            let (outcome, change) =
                refuse(Some(&code(client_id)), None, &exchange(redirect_uri, now));

            assert_eq!(outcome, expected);
            assert!(matches!(change, Change::Nothing), "{expected:?}");
        }
    }

    #[test]
    fn a_spent_code_ends_its_family_if_its_own_client_sends_it() {
        let refused =
            |family: Option<FamilyOfCode>| refuse(None, family.as_ref(), &exchange(CALLBACK, 59));

        let (outcome, change) = refused(Some(family("reports")));
        assert_eq!(outcome, ExchangeOutcome::AlreadyUsed);
        assert!(matches!(change, Change::Ended(Invalidation::Family(7))));

        let (outcome, change) = refused(Some(family("mallory")));
        assert_eq!(outcome, ExchangeOutcome::OtherClient);
        assert!(matches!(change, Change::Nothing));

        assert_eq!(refused(None).0, ExchangeOutcome::Unknown);
    }
}
