//! The authorization server of a running Assay, as its command line talks to it.

use std::borrow::Cow;

use app::applications::COMMAND_LINE_CLIENT_ID;
use oauth2::basic::{BasicClient, BasicErrorResponseType, BasicTokenResponse};
use oauth2::http::{Response, StatusCode};
use oauth2::{
    AuthUrl, AuthorizationCode, ClientId, EndpointNotSet, EndpointSet, HttpRequest, HttpResponse,
    PkceCodeVerifier, RedirectUrl, RefreshToken, RequestTokenError, TokenResponse as _, TokenUrl,
};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use url::{Url, form_urlencoded};

use crate::failure::Failure;
use crate::{authorities, remote};

type Client = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

/// The authorization server, and the command line as its client.
pub(crate) struct Authorization {
    server: Url,
    client: Client,
}

/// What a login gives.
pub(crate) struct Tokens {
    pub(crate) access: SecretString,
    pub(crate) refresh: SecretString,
    pub(crate) lifetime_ms: i64,
}

impl Authorization {
    pub(crate) fn of(server: &Url) -> Result<Self, Failure> {
        authorities::check()?;
        let url = |path: &str| format!("{}{path}", server.as_str().trim_end_matches('/'));
        let authorize = AuthUrl::new(url("/oauth2/authorize")).map_err(Failure::environment)?;
        let token = TokenUrl::new(url("/oauth2/token")).map_err(Failure::environment)?;
        let client = BasicClient::new(ClientId::new(COMMAND_LINE_CLIENT_ID.to_owned()))
            .set_auth_uri(authorize)
            .set_token_uri(token);
        Ok(Self { server: server.clone(), client })
    }

    /// How the server calls itself in its answers (RFC 8414), which need not be the address that it was asked at.
    pub(crate) fn issuer(&self) -> Result<String, Failure> {
        let path = "/.well-known/oauth-authorization-server";
        let url = format!("{}{path}", self.server.as_str().trim_end_matches('/'));
        let answer = remote::agent().get(url).call();
        let answer = answer.map_err(|error| remote::silent(&self.server, &error))?;
        let is_there = answer.status() == StatusCode::OK;
        let text = answer.into_body().read_to_string().unwrap_or_default();
        let metadata: Value = serde_json::from_str(&text).unwrap_or_default();
        let issuer = metadata["issuer"].as_str().filter(|_| is_there);
        issuer.map(str::to_owned).ok_or_else(|| remote::no_assay(&self.server))
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// Exchanges the code that the browser brought.
    pub(crate) fn exchange(
        &self,
        code: AuthorizationCode,
        verifier: PkceCodeVerifier,
        redirect_url: &RedirectUrl,
    ) -> Result<Tokens, Failure> {
        let answer = self
            .client
            .exchange_code(code)
            .set_pkce_verifier(verifier)
            .set_redirect_uri(Cow::Borrowed(redirect_url))
            .request(&send);
        self.tokens(answer)?.ok_or_else(|| {
            Failure::input("the server does not take the code any more\n  hint: sign in again")
        })
    }

    /// Renews the tokens; `None` if the login has ended.
    pub(crate) fn renew(&self, refresh_token: &SecretString) -> Result<Option<Tokens>, Failure> {
        let refresh_token = RefreshToken::new(refresh_token.expose_secret().to_owned());
        let answer = self.client.exchange_refresh_token(&refresh_token).request(&send);
        self.tokens(answer)
    }

    /// Ends the login at the server (RFC 7009).
    pub(crate) fn revoke(&self, refresh_token: &SecretString) -> Result<(), ureq::Error> {
        let url = format!("{}/oauth2/revoke", self.server.as_str().trim_end_matches('/'));
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("client_id", COMMAND_LINE_CLIENT_ID)
            .append_pair("token", refresh_token.expose_secret())
            .finish();
        let form_type = "application/x-www-form-urlencoded";
        let answer = remote::agent().post(url).header("content-type", form_type).send(form)?;
        match answer.status() {
            StatusCode::OK => Ok(()),
            status => Err(ureq::Error::StatusCode(status.as_u16())),
        }
    }

    fn tokens(
        &self,
        answer: Result<BasicTokenResponse, Refusal>,
    ) -> Result<Option<Tokens>, Failure> {
        let failed = |why: &dyn std::fmt::Display| {
            Failure::environment(format_args!("`{}` gives no token: {why}", self.server))
        };
        match answer {
            Ok(tokens) => {
                let lifetime = tokens.expires_in().unwrap_or_default();
                let refresh = tokens.refresh_token();
                let refresh = refresh.ok_or_else(|| failed(&"a refresh token is missing"))?;
                Ok(Some(Tokens {
                    access: tokens.access_token().secret().clone().into(),
                    refresh: refresh.secret().clone().into(),
                    lifetime_ms: i64::try_from(lifetime.as_millis()).unwrap_or(i64::MAX),
                }))
            }
            Err(RequestTokenError::ServerResponse(refusal))
                if *refusal.error() == BasicErrorResponseType::InvalidGrant =>
            {
                Ok(None)
            }
            Err(RequestTokenError::ServerResponse(refusal)) => {
                Err(failed(&refusal.error().as_ref()))
            }
            Err(RequestTokenError::Request(error)) => Err(failed(&error)),
            // An answer that is none could have a token in it.
            Err(RequestTokenError::Parse(..) | RequestTokenError::Other(_)) => {
                Err(failed(&"its answer is not that of an authorization server"))
            }
        }
    }
}

type Refusal = oauth2::basic::BasicRequestTokenError<ureq::Error>;

fn send(request: HttpRequest) -> Result<HttpResponse, ureq::Error> {
    let (parts, mut body) = remote::agent().run(request)?.into_parts();
    Ok(Response::from_parts(parts, body.read_to_vec()?))
}
