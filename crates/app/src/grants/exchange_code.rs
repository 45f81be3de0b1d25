//! A client exchanges a code for tokens (RFC 6749 section 4.1.3). The store spends the code and saves the tokens in one commit.

use std::net::IpAddr;

use oauth::{Client, CodeChallenge, CredentialKind, ErrorCode, OAuthError, TokenResponse, hash};
use secrecy::{ExposeSecret as _, SecretString};
use storage::{ExchangeCode, ExchangeOutcome};

use crate::App;
use crate::grants::request_tokens_error::RequestTokensError;

/// What a client sends for tokens.
pub(super) struct SentCode {
    pub(super) code: SecretString,
    pub(super) redirect_uri: String,
    pub(super) code_challenge: Option<CodeChallenge>,
    pub(super) address: IpAddr,
}

/// Exchanges a code that `client` sent.
pub(super) async fn exchange_code(
    app: &App,
    client: &Client,
    sent: SentCode,
) -> Result<TokenResponse, RequestTokensError> {
    let code = hash(sent.code.expose_secret()).ok_or(WRONG_CODE)?;
    let access_token = app.issue_credential(CredentialKind::AccessToken);
    let refresh_token = app.issue_credential(CredentialKind::RefreshToken);
    let exchange = ExchangeCode {
        code,
        client_id: client.client_id.clone(),
        redirect_uri: sent.redirect_uri,
        code_challenge: sent.code_challenge,
        access_token: access_token.hash,
        refresh_token: refresh_token.hash,
        address: Some(sent.address),
        now: app.now(),
    };
    let tokens = |scope| TokenResponse {
        access_token: access_token.credential,
        refresh_token: Some(refresh_token.credential),
        scope,
    };
    match app.store().exchange_code(exchange).await? {
        ExchangeOutcome::Exchanged(_) => Ok(tokens(None)),
        ExchangeOutcome::ExchangedUnnamed(scope) => Ok(tokens(Some(scope))),
        ExchangeOutcome::AlreadyUsed => {
            tracing::warn!(client = %client.client_id, "a code was used twice, so its tokens have ended");
            Err(WRONG_CODE.into())
        }
        ExchangeOutcome::Unknown | ExchangeOutcome::Expired | ExchangeOutcome::OtherClient => {
            Err(WRONG_CODE.into())
        }
        ExchangeOutcome::RedirectUriMismatch => Err(WRONG_REDIRECT_URI.into()),
        ExchangeOutcome::CodeChallengeMismatch => Err(WRONG_VERIFIER.into()),
    }
}

const WRONG_CODE: OAuthError = OAuthError::new(
    ErrorCode::InvalidGrant,
    "the code is unknown, expired, used, or was issued to another client",
);
const WRONG_REDIRECT_URI: OAuthError = OAuthError::new(
    ErrorCode::InvalidGrant,
    "`redirect_uri` is not the one that the code was sent to",
);
const WRONG_VERIFIER: OAuthError =
    OAuthError::new(ErrorCode::InvalidGrant, "`code_verifier` does not belong to the code");
