//! A client revokes a token (RFC 7009): once answered, no client can use it. A refresh token ends its whole authorization, an access token
//! only itself.

use oauth::{Parameters, hash, token_in_question};
use secrecy::ExposeSecret as _;
use storage::{Revoke, RevokeOutcome};

use crate::App;
use crate::grants::authenticate_client::authenticate_client;
use crate::grants::request_tokens::TokenCall;
use crate::grants::request_tokens_error::RequestTokensError;

/// Revokes the token in a call. A token that is unknown, or another client's, changes nothing and is no error (RFC 7009 section 2.2): the
/// client has what it wanted, and learns nothing about others.
///
/// # Errors
/// See [`RequestTokensError`].
pub async fn revoke(app: &App, call: TokenCall<'_>) -> Result<(), RequestTokensError> {
    let parameters = Parameters::from_query_and_body(call.query, call.body)?;
    parameters.refuse_repeated()?;
    let client = authenticate_client(app, &parameters, call.authorization, call.address).await?;
    let Some(token) = hash(token_in_question(&parameters)?.expose_secret()) else { return Ok(()) };
    let client_id = client.client_id.clone();
    let revoke = Revoke { token, client_id, address: Some(call.address), now: app.now() };
    match app.store().revoke(revoke).await? {
        RevokeOutcome::FamilyEnded => {
            tracing::info!(client = %client.client_id, "a client revoked its token");
        }
        RevokeOutcome::AccessTokenRemoved | RevokeOutcome::NotTheirs => {}
    }
    Ok(())
}
