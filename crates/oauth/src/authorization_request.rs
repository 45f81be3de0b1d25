//! The authorization request (RFC 6749 section 4.1.1). It is read in two steps, because until client and redirect URI are known to
//! belong together nothing may be sent to that address: first [`AuthorizationRequest::client_id`], which the caller looks up,
//! then [`AuthorizationRequest::parse`].

use crate::authorization_response::ReplyTo;
use crate::client::{Client, ClientId, ClientKind};
use crate::error::{ErrorCode, OAuthError};
use crate::parameters::Parameters;
use crate::pkce::CodeChallenge;
use crate::prompt::Prompt;
use crate::scope::ScopeSet;

/// A client asks a member for consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizationRequest {
    /// The client.
    pub client_id: ClientId,
    /// Where the answer goes.
    pub reply_to: ReplyTo,
    /// What the client wants to be allowed.
    pub scope: ScopeSet,
    /// Whether the client named it, in this request or in its registration. If not, the answer names it (RFC 6749 section 5.1).
    pub names_scope: bool,
    /// What the exchange of the code must prove.
    pub code_challenge: Option<CodeChallenge>,
    /// Which pages the client wants to be shown.
    pub prompt: Prompt,
    /// The e-mail address of the member whom the client expects.
    pub login_hint: Option<String>,
}

/// A request that we answer on a page of our own, since its sender may not be the client. Says why, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnansweredRequest {
    /// The query cannot be read.
    #[error("The authorization request is malformed.")]
    Malformed,
    /// There is no single `client_id`.
    #[error("The authorization request does not name exactly one application.")]
    NoClientId,
    /// No such client is registered.
    #[error("The application is not registered.")]
    UnknownClient,
    /// There is no single `redirect_uri`.
    #[error("The authorization request does not name exactly one return address.")]
    NoRedirectUri,
    /// The client has not registered this redirect URI.
    #[error("The application has not registered this return address.")]
    UnregisteredRedirectUri,
}

/// Why there is no authorization request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// Tell the person, and never redirect.
    #[error(transparent)]
    Unanswered(#[from] UnansweredRequest),
    /// Tell the client.
    #[error("{error}")]
    Answered {
        /// Where the answer goes.
        reply_to: ReplyTo,
        /// What it says.
        error: OAuthError,
    },
}

impl AuthorizationRequest {
    /// The first step: which client asks.
    ///
    /// # Errors
    /// When the request does not name exactly one possible client.
    pub fn client_id(parameters: &Parameters) -> Result<ClientId, UnansweredRequest> {
        let client_id = find_once(parameters, "client_id").ok_or(UnansweredRequest::NoClientId)?;
        client_id.parse().map_err(|_| UnansweredRequest::UnknownClient)
    }

    /// The second step: what `client`, the one that was looked up, asks.
    ///
    /// # Errors
    /// See [`RequestError`].
    pub fn parse(parameters: &Parameters, client: Option<&Client>) -> Result<Self, RequestError> {
        let client =
            client.filter(|client| client.is_enabled()).ok_or(UnansweredRequest::UnknownClient)?;
        let redirect_uri =
            find_once(parameters, "redirect_uri").ok_or(UnansweredRequest::NoRedirectUri)?;
        if !client.has_redirect_uri(redirect_uri) {
            return Err(UnansweredRequest::UnregisteredRedirectUri.into());
        }
        let state = find_once(parameters, "state").map(str::to_owned);
        let reply_to = ReplyTo { redirect_uri: redirect_uri.to_owned(), state };
        Self::parse_trusted(parameters, client, &reply_to)
            .map_err(|error| RequestError::Answered { reply_to, error })
    }

    fn parse_trusted(
        parameters: &Parameters,
        client: &Client,
        reply_to: &ReplyTo,
    ) -> Result<Self, OAuthError> {
        parameters.refuse_repeated()?;
        check_response(parameters)?;
        let named = named_scope(parameters)?;
        Ok(Self {
            client_id: client.client_id.clone(),
            reply_to: reply_to.clone(),
            scope: client.scope_of(named).ok_or(UNREGISTERED_SCOPE)?,
            names_scope: named.is_some() || client.scope.is_some(),
            code_challenge: code_challenge(parameters, client.kind)?,
            prompt: Prompt::parse(parameters.find("prompt"))?,
            login_hint: parameters.find("login_hint").map(str::to_owned),
        })
    }
}

fn find_once<'a>(parameters: &'a Parameters, name: &str) -> Option<&'a str> {
    parameters.find(name).filter(|_| !parameters.is_repeated(name))
}

/// Only a code, and only in the query: a fragment would show it to every script of the page.
fn check_response(parameters: &Parameters) -> Result<(), OAuthError> {
    match parameters.find("response_type") {
        Some("code") => {}
        Some(_) => return Err(UNSUPPORTED_RESPONSE_TYPE),
        None => return Err(NO_RESPONSE_TYPE),
    }
    match parameters.find("response_mode") {
        Some("query") | None => Ok(()),
        Some(_) => Err(UNSUPPORTED_RESPONSE_MODE),
    }
}

fn named_scope(parameters: &Parameters) -> Result<Option<ScopeSet>, OAuthError> {
    parameters.find("scope").map(ScopeSet::parse).transpose().map_err(|_| UNKNOWN_SCOPE)
}

/// A public client has nothing else to prove itself with (RFC 9700 section 2.1.1).
fn code_challenge(
    parameters: &Parameters,
    kind: ClientKind,
) -> Result<Option<CodeChallenge>, OAuthError> {
    let method = parameters.find("code_challenge_method");
    let challenge = CodeChallenge::from_request(parameters.find("code_challenge"), method)?;
    if kind == ClientKind::Public && challenge.is_none() { Err(PKCE_NEEDED) } else { Ok(challenge) }
}

const NO_RESPONSE_TYPE: OAuthError = OAuthError::invalid_request("`response_type` is missing");
const UNSUPPORTED_RESPONSE_TYPE: OAuthError =
    OAuthError::new(ErrorCode::UnsupportedResponseType, "`response_type` must be `code`");
const UNSUPPORTED_RESPONSE_MODE: OAuthError =
    OAuthError::invalid_request("`response_mode` must be `query`");
const UNKNOWN_SCOPE: OAuthError =
    OAuthError::new(ErrorCode::InvalidScope, "`scope` names a scope that does not exist");
const UNREGISTERED_SCOPE: OAuthError = OAuthError::new(
    ErrorCode::InvalidScope,
    "`scope` asks for more than the client is registered for",
);
const PKCE_NEEDED: OAuthError =
    OAuthError::invalid_request("a public client must send a `code_challenge`");

#[cfg(test)]
mod tests {
    use super::{AuthorizationRequest, RequestError, UnansweredRequest};
    use crate::authorization_response::ReplyTo;
    use crate::client::{Client, ClientKind, ClientOrigin};
    use crate::error::{ErrorCode, OAuthError};
    use crate::parameters::Parameters;
    use crate::pkce::CodeChallenge;
    use crate::prompt::Prompt;
    use crate::redirect_uri::RedirectUri;
    use crate::scope::{Scope, ScopeSet};
    use crate::time::Timestamp;

    const REDIRECT_URI: &str = "https://app.example/cb";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    fn client(kind: ClientKind) -> Client {
        Client {
            client_id: "reports".parse().unwrap(),
            name: "Reports".to_owned(),
            kind,
            redirect_uris: vec![
                RedirectUri::parse(REDIRECT_URI).unwrap(),
                RedirectUri::parse("http://127.0.0.1/cb").unwrap(),
            ],
            secrets: vec![],
            scope: None,
            origin: ClientOrigin::Command,
            disabled_at: None,
        }
    }

    fn parameters(query: &str) -> Parameters {
        Parameters::from_query(query).ok().unwrap()
    }

    /// Everything that must be there, and `more`.
    fn parse(kind: ClientKind, more: &str) -> Result<AuthorizationRequest, RequestError> {
        let query = format!(
            "client_id=reports&redirect_uri={REDIRECT_URI}&state=s&response_type=code{more}"
        );
        AuthorizationRequest::parse(&parameters(&query), Some(&client(kind)))
    }

    fn error_for(query: &str) -> RequestError {
        let client = client(ClientKind::Confidential);
        AuthorizationRequest::parse(&parameters(query), Some(&client)).unwrap_err()
    }

    /// The error for the client.
    fn answered(result: Result<AuthorizationRequest, RequestError>) -> (ReplyTo, OAuthError) {
        match result {
            Err(RequestError::Answered { reply_to, error }) => (reply_to, error),
            other => panic!("{other:?}"),
        }
    }

    fn code_for(more: &str) -> ErrorCode {
        answered(parse(ClientKind::Confidential, more)).1.code
    }

    #[test]
    fn a_whole_request_is_read() {
        let more = format!(
            "&scope=config:read+publish&code_challenge={CHALLENGE}&code_challenge_method=S256\
             &prompt=login&login_hint=ann@example.com&unknown=ignored"
        );

        let request = parse(ClientKind::Public, &more).unwrap();

        assert_eq!(
            request,
            AuthorizationRequest {
                client_id: "reports".parse().unwrap(),
                reply_to: ReplyTo {
                    redirect_uri: REDIRECT_URI.to_owned(),
                    state: Some("s".to_owned()),
                },
                scope: ScopeSet::from(Scope::ConfigRead).union(ScopeSet::from(Scope::Publish)),
                names_scope: true,
                code_challenge: CodeChallenge::parse(CHALLENGE),
                prompt: Prompt::SignIn,
                login_hint: Some("ann@example.com".to_owned()),
            }
        );
    }

    #[test]
    fn a_confidential_client_may_leave_out_all_that_is_optional() {
        let query = format!("client_id=reports&redirect_uri={REDIRECT_URI}&response_type=code");
        let client = client(ClientKind::Confidential);

        let request = AuthorizationRequest::parse(&parameters(&query), Some(&client)).unwrap();

        assert_eq!(request.reply_to.state, None);
        assert_eq!((request.scope, request.names_scope), (ScopeSet::LEAST, false));
        assert_eq!(request.code_challenge, None);
        assert_eq!(request.prompt, Prompt::AsNeeded);
    }

    #[test]
    fn the_client_must_be_named_once() {
        for query in ["", "client_id=", "client_id=a&client_id=a", "client_id=a&client_id=b"] {
            let client_id = AuthorizationRequest::client_id(&parameters(query));
            assert_eq!(client_id, Err(UnansweredRequest::NoClientId), "{query}");
        }
        let markup = AuthorizationRequest::client_id(&parameters("client_id=<script>"));
        assert_eq!(markup, Err(UnansweredRequest::UnknownClient));
    }

    #[test]
    fn an_unknown_client_gets_no_redirect() {
        let query = format!("client_id=reports&redirect_uri={REDIRECT_URI}&response_type=code");

        assert_eq!(
            AuthorizationRequest::parse(&parameters(&query), None),
            Err(RequestError::Unanswered(UnansweredRequest::UnknownClient))
        );
    }

    #[test]
    fn a_disabled_client_gets_no_redirect() {
        let query = format!("client_id=reports&redirect_uri={REDIRECT_URI}&response_type=code");
        let disabled_at = Some(Timestamp::from_milliseconds(0));
        let disabled = Client { disabled_at, ..client(ClientKind::Confidential) };

        assert_eq!(
            AuthorizationRequest::parse(&parameters(&query), Some(&disabled)),
            Err(RequestError::Unanswered(UnansweredRequest::UnknownClient))
        );
    }

    #[test]
    fn without_one_registered_redirect_uri_there_is_no_redirect() {
        use UnansweredRequest::{NoRedirectUri, UnregisteredRedirectUri};
        for (query, expected) in [
            ("response_type=code", NoRedirectUri),
            ("redirect_uri=", NoRedirectUri),
            (
                "redirect_uri=https://app.example/cb&redirect_uri=https://app.example/cb",
                NoRedirectUri,
            ),
            ("redirect_uri=https://evil.example/cb", UnregisteredRedirectUri),
            ("redirect_uri=https://app.example/cb/", UnregisteredRedirectUri),
            ("redirect_uri=https://app.example/cb%23x", UnregisteredRedirectUri),
            ("redirect_uri=https://app.example/cb%0d%0aLocation:x", UnregisteredRedirectUri),
            ("redirect_uri=https%253A%252F%252Fapp.example%252Fcb", UnregisteredRedirectUri),
        ] {
            assert_eq!(error_for(query), RequestError::Unanswered(expected), "{query}");
        }
    }

    #[test]
    fn a_loopback_answer_goes_to_the_port_of_the_request() {
        let query = "redirect_uri=http://127.0.0.1:49152/cb&response_type=code";
        let client = client(ClientKind::Confidential);

        let request = AuthorizationRequest::parse(&parameters(query), Some(&client)).unwrap();

        assert_eq!(request.reply_to.redirect_uri, "http://127.0.0.1:49152/cb");
    }

    #[test]
    fn the_client_is_told_with_its_state() {
        let (reply_to, error) = answered(parse(ClientKind::Confidential, "&scope=admin"));

        assert_eq!(error.code, ErrorCode::InvalidScope);
        assert_eq!(reply_to.redirect_uri, REDIRECT_URI);
        assert_eq!(reply_to.state.as_deref(), Some("s"));
    }

    #[test]
    fn a_repeated_parameter_is_refused_and_a_repeated_state_is_not_returned() {
        for name in ["state", "scope", "code_challenge", "response_type", "unknown"] {
            let more = format!("&{name}=x&{name}=x");
            let (reply_to, error) = answered(parse(ClientKind::Confidential, &more));
            assert_eq!(error.code, ErrorCode::InvalidRequest, "{name}");
            assert_eq!(reply_to.state.is_none(), name == "state", "{name}");
        }
    }

    #[test]
    fn only_a_code_in_the_query_can_be_asked_for() {
        let without_type = format!("client_id=reports&redirect_uri={REDIRECT_URI}");
        let (_, error) = answered(Err(error_for(&without_type)));
        assert_eq!(error.code, ErrorCode::InvalidRequest);

        for kind in ["token", "id_token", "code+token", "none", "CODE"] {
            let (_, error) =
                answered(Err(error_for(&format!("{without_type}&response_type={kind}"))));
            assert_eq!(error.code, ErrorCode::UnsupportedResponseType, "{kind}");
        }
        for mode in ["fragment", "form_post", "other"] {
            assert_eq!(code_for(&format!("&response_mode={mode}")), ErrorCode::InvalidRequest);
        }
        assert!(parse(ClientKind::Confidential, "&response_mode=query").is_ok());
    }

    #[test]
    fn a_public_client_needs_a_challenge_and_every_challenge_must_be_right() {
        let (_, error) = answered(parse(ClientKind::Public, ""));
        assert_eq!(error.code, ErrorCode::InvalidRequest);

        for more in
            ["&code_challenge=short&code_challenge_method=S256", "&code_challenge_method=S256"]
        {
            assert_eq!(code_for(more), ErrorCode::InvalidRequest, "{more}");
        }
        let without_method = format!("&code_challenge={CHALLENGE}");
        assert_eq!(code_for(&without_method), ErrorCode::InvalidRequest);
    }

    #[test]
    fn an_unknown_prompt_is_refused() {
        assert_eq!(code_for("&prompt=create"), ErrorCode::InvalidRequest);
    }
}
