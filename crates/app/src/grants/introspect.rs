//! A client asks whether its token is valid, and for what (RFC 7662). Tokens of other clients count as invalid.

use oauth::{
    ActiveToken, Client, ClientKind, CredentialHash, ErrorCode, IntrospectionResponse, OAuthError,
    Parameters, hash, token_in_question,
};
use secrecy::ExposeSecret as _;
use storage::{AccessGrant, StorageError};

use crate::App;
use crate::grants::authenticate_client::authenticate_client;
use crate::grants::request_tokens::TokenCall;
use crate::grants::request_tokens_error::RequestTokensError;

/// Describes the token in a call. Only a client with a secret may ask (RFC 7662 section 2.1), so a public client cannot.
///
/// # Errors
/// See [`RequestTokensError`].
pub async fn introspect(
    app: &App,
    call: TokenCall<'_>,
) -> Result<IntrospectionResponse, RequestTokensError> {
    let parameters = Parameters::from_query_and_body(call.query, call.body)?;
    parameters.refuse_repeated()?;
    let client = authenticate_client(app, &parameters, call.authorization, call.address).await?;
    if client.kind == ClientKind::Public {
        return Err(PUBLIC_CLIENT.into());
    }
    let token = token_in_question(&parameters)?;
    let Some(hash) = hash(token.expose_secret()) else {
        return Ok(IntrospectionResponse::Inactive);
    };
    let access = app.store().find_access_token(&hash, app.now()).await?;
    let (grant, token_type) = match access {
        Some(grant) => (Some(grant), Some("bearer")),
        None => (what_is_left(app, &client, &hash).await?, None),
    };
    let own = grant.filter(|grant| grant.client_id == client.client_id);
    Ok(own.map_or(IntrospectionResponse::Inactive, |grant| describe(app, grant, token_type)))
}

/// What a refresh token can give: no more than its client is registered for now.
async fn what_is_left(
    app: &App,
    client: &Client,
    hash: &CredentialHash,
) -> Result<Option<AccessGrant>, StorageError> {
    let grant = app.store().find_refresh_token(hash, app.now()).await?;
    Ok(grant.and_then(|grant| {
        let scope = grant.scope.intersection(client.widest_scope())?;
        Some(AccessGrant { scope, ..grant })
    }))
}

fn describe(
    app: &App,
    grant: AccessGrant,
    token_type: Option<&'static str>,
) -> IntrospectionResponse {
    IntrospectionResponse::Active(ActiveToken {
        scope: grant.scope,
        client_id: grant.client_id,
        subject: grant.member.to_string(),
        expires_at: grant.expires_at,
        token_type,
        issuer: app.public_url().as_str().to_owned(),
    })
}

const PUBLIC_CLIENT: OAuthError =
    OAuthError::new(ErrorCode::InvalidClient, "introspection is for clients that have a secret");
