//! A client exchanges a refresh token for a new access token (RFC 6749 section 6). A confidential client keeps its refresh token; a public
//! client gets a new one each time (RFC 9700 section 2.2.2).

use std::net::IpAddr;

use oauth::{
    Client, ClientKind, CredentialHash, CredentialKind, ErrorCode, OAuthError, ScopeSet, Timestamp,
    TokenResponse, hash,
};
use secrecy::{ExposeSecret as _, SecretString};
use storage::{Refresh, RefreshOutcome, Rotation};

use crate::App;
use crate::grants::request_tokens_error::RequestTokensError;
use crate::grants::token_locks::{TokenLock, at_once_since};

/// What a client sends for another access token.
pub(super) struct SentRefreshToken {
    pub(super) refresh_token: SecretString,
    pub(super) scope: Option<ScopeSet>,
    pub(super) address: IpAddr,
}

/// The place of a refresh among those with the same token, from when it arrived; `None` if there can be no such token.
pub(super) fn arrive<'a>(app: &'a App, refresh_token: &SecretString) -> Option<TokenLock<'a>> {
    let token = hash(refresh_token.expose_secret())?;
    Some(app.token_locks().arrive(&token, app.now()))
}

/// Refreshes the grant of `client` that a token belongs to.
pub(super) async fn refresh(
    app: &App,
    client: &Client,
    sent: SentRefreshToken,
    arrived: Option<TokenLock<'_>>,
) -> Result<TokenResponse, RequestTokensError> {
    let token = hash(sent.refresh_token.expose_secret()).ok_or(WRONG_TOKEN)?;
    let arrived = arrived.ok_or(WRONG_TOKEN)?;
    match client.kind {
        ClientKind::Confidential => {
            let using = Use { token, rotation: Rotation::Keep, at_once_since: None };
            let (access_token, scope) = use_token(app, client, &sent, using).await?;
            Ok(TokenResponse { access_token, refresh_token: None, scope })
        }
        ClientKind::Public => {
            let lock = arrived.wait().await;
            let successor = app.issue_credential(CredentialKind::RefreshToken);
            let rotation = if lock.was_overtaken() {
                Rotation::ReplaceBeside(successor.hash)
            } else {
                Rotation::Replace(successor.hash)
            };
            let at_once_since = (!lock.was_spent_here()).then(|| at_once_since(lock.arrived_at()));
            let using = Use { token, rotation, at_once_since };
            let (access_token, scope) = use_token(app, client, &sent, using).await?;
            lock.succeeded(app.now());
            let refresh_token = Some(successor.credential);
            Ok(TokenResponse { access_token, refresh_token, scope })
        }
    }
}

/// How to use a refresh token.
struct Use {
    token: CredentialHash,
    rotation: Rotation,
    at_once_since: Option<Timestamp>,
}

/// Uses a refresh token; returns the new access token, and its scope if that is less than the client expects (RFC 6749 section 5.1).
async fn use_token(
    app: &App,
    client: &Client,
    sent: &SentRefreshToken,
    Use { token, rotation, at_once_since }: Use,
) -> Result<(SecretString, Option<ScopeSet>), RequestTokensError> {
    let access_token = app.issue_credential(CredentialKind::AccessToken);
    let refresh = Refresh {
        refresh_token: token,
        client_id: client.client_id.clone(),
        access_token: access_token.hash,
        rotation,
        scope: sent.scope,
        widest_scope: client.widest_scope(),
        at_once_since,
        address: Some(sent.address),
        now: app.now(),
    };
    match app.store().refresh(refresh).await? {
        RefreshOutcome::Refreshed(_) => Ok((access_token.credential, None)),
        RefreshOutcome::Narrowed(scope) => Ok((access_token.credential, Some(scope))),
        RefreshOutcome::Reused => {
            tracing::warn!(client = %client.client_id, "a replaced refresh token was used, so its grant has ended");
            Err(WRONG_TOKEN.into())
        }
        RefreshOutcome::Unknown
        | RefreshOutcome::Expired
        | RefreshOutcome::Ended
        | RefreshOutcome::OtherClient => Err(WRONG_TOKEN.into()),
        RefreshOutcome::ScopeTooWide => Err(SCOPE_TOO_WIDE.into()),
        RefreshOutcome::NothingLeft => Err(NOTHING_LEFT.into()),
    }
}

const WRONG_TOKEN: OAuthError = OAuthError::new(
    ErrorCode::InvalidGrant,
    "the refresh token is unknown, expired, revoked, or was issued to another client",
);
const SCOPE_TOO_WIDE: OAuthError = OAuthError::new(
    ErrorCode::InvalidScope,
    "`scope` asks for more than the member allowed, or than the client is registered for",
);
const NOTHING_LEFT: OAuthError = OAuthError::new(
    ErrorCode::InvalidGrant,
    "the client is no longer registered for anything that the member allowed",
);
