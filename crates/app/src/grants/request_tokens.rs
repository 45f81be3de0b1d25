//! An application requests tokens (RFC 6749 section 3.2): authenticates it, and passes its code or refresh token on.

use std::net::IpAddr;

use oauth::{Parameters, TokenRequest, TokenResponse};

use crate::App;
use crate::grants::authenticate_client::authenticate_client;
use crate::grants::exchange_code::{SentCode, exchange_code};
use crate::grants::refresh::{SentRefreshToken, arrive, refresh};
use crate::grants::request_tokens_error::RequestTokensError;

/// A client's request as received. There is no `Debug`: it holds secrets.
pub struct TokenCall<'a> {
    /// The query, without the question mark.
    pub query: &'a str,
    /// The form body.
    pub body: &'a [u8],
    /// The `Authorization` header.
    pub authorization: Option<&'a [u8]>,
    /// The address of the client.
    pub address: IpAddr,
}

impl TokenCall<'_> {
    /// Whether the client sends a secret, or parameters that cannot be parsed.
    #[must_use]
    pub fn shows_secret(&self) -> bool {
        let parameters = Parameters::from_query_and_body(self.query, self.body);
        let is_public = parameters.is_ok_and(|found| found.find("client_secret").is_none());
        self.authorization.is_some() || !is_public
    }
}

/// Answers a token request. The store saves the tokens before the client gets them.
///
/// # Errors
/// See [`RequestTokensError`].
pub async fn request_tokens(
    app: &App,
    call: TokenCall<'_>,
) -> Result<TokenResponse, RequestTokensError> {
    let answered = answer(app, call).await;
    app.monitor().token_request(match &answered {
        Ok(_) => "issued",
        Err(error) => error.as_str(),
    });
    answered
}

async fn answer(app: &App, call: TokenCall<'_>) -> Result<TokenResponse, RequestTokensError> {
    let parameters = Parameters::from_query_and_body(call.query, call.body)?;
    parameters.refuse_repeated()?;
    let request = TokenRequest::parse(&parameters);
    let arrived = match &request {
        Ok(TokenRequest::RefreshToken { refresh_token, .. }) => arrive(app, refresh_token),
        Ok(TokenRequest::AuthorizationCode { .. }) | Err(_) => None,
    };
    // What is wrong with the request is told to the client alone.
    let client = authenticate_client(app, &parameters, call.authorization, call.address).await?;
    match request? {
        TokenRequest::AuthorizationCode { code, redirect_uri, code_challenge } => {
            let address = call.address;
            let sent = SentCode { code, redirect_uri, code_challenge, address };
            exchange_code(app, &client, sent).await
        }
        TokenRequest::RefreshToken { refresh_token, scope } => {
            let sent = SentRefreshToken { refresh_token, scope, address: call.address };
            refresh(app, &client, sent, arrived).await
        }
    }
}
