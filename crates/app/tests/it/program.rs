//! An OAuth client, and what it gets from members without a browser between.

use app::applications::{NewApplication, add_application};
use app::grants::{
    Authorization, AuthorizeError, ConsentAnswer, DecideConsentError, Decision, RequestTokensError,
    TokenCall, authorize, decide_consent, introspect, request_tokens, revoke,
};
use app::roles::Actor;
use app::sessions::{SignedIn, authenticate};
use app::tokens::check_bearer;
use oauth::{ClientKind, ErrorCode, IntrospectionResponse, TokenResponse};
use secrecy::ExposeSecret as _;
use storage::{Act, ActorKind, MemberId, NewSession, Proof};
use url::form_urlencoded::{Serializer, parse};

use crate::server::{ADDRESS, PASSWORD_HASH, Server};

/// Where it takes its answers.
pub(crate) const REDIRECT_URI: &str = "https://reports.example/callback";

/// Where a program on the member's own machine waits.
pub(crate) const LOOPBACK_URI: &str = "http://127.0.0.1:51000/callback";

/// The example of RFC 7636 appendix B.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// What a program without a secret asks with.
pub(crate) const S256: [(&str, &str); 2] =
    [("code_challenge", CHALLENGE), ("code_challenge_method", "S256")];

/// A client; a public one has no secret.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub(crate) client_id: String,
    pub(crate) client_secret: Option<String>,
    pub(crate) redirect_uri: String,
}

/// What an exchange gives.
#[derive(Debug)]
pub(crate) struct Tokens {
    pub(crate) access: String,
    pub(crate) refresh: String,
}

impl Server {
    /// Registers a client for all scopes.
    pub(crate) async fn program(&self, name: &str, kind: ClientKind) -> Program {
        self.program_for(name, kind, Some("all")).await
    }

    pub(crate) async fn program_for(
        &self,
        name: &str,
        kind: ClientKind,
        scope: Option<&str>,
    ) -> Program {
        let redirect_uris = [REDIRECT_URI, "http://127.0.0.1/callback"].map(str::to_owned).to_vec();
        let scope = scope.map(str::to_owned);
        let new = NewApplication { name: name.to_owned(), redirect_uris, kind, scope };
        let added = add_application(&self.app, &Actor::Command, new).await.unwrap();
        Program {
            client_id: added.client_id.to_string(),
            client_secret: added.client_secret.map(|secret| secret.expose_secret().to_owned()),
            redirect_uri: REDIRECT_URI.to_owned(),
        }
    }

    /// Starts a session of a member, who has proved who they are in some way.
    pub(crate) async fn sign_in(&self, member: MemberId) -> SignedIn {
        let credential = format!("session of {member}");
        let session = NewSession {
            hash: oauth::hash(&credential).unwrap(),
            id: member.to_string(),
            member,
            proof: Proof::Password(PASSWORD_HASH.to_owned()),
            browser: "Firefox on Linux".to_owned(),
            replaced: None,
            act: Act {
                by: ActorKind::Member,
                member: None,
                address: Some(ADDRESS),
                at: self.app.now(),
            },
        };
        self.app.store().add_session(session).await.unwrap();
        authenticate(&self.app, &credential).await.unwrap().unwrap()
    }

    /// Whether an access token opens anything.
    pub(crate) async fn opens(&self, access_token: &str) -> bool {
        check_bearer(&self.app, access_token).await.is_ok()
    }
}

impl Program {
    /// The query of its authorization request.
    fn query(&self, more: &[(&str, &str)]) -> String {
        let own = [
            ("response_type", "code"),
            ("client_id", &self.client_id),
            ("redirect_uri", &self.redirect_uri),
        ];
        Serializer::new(String::new()).extend_pairs(own).extend_pairs(more).finish()
    }

    /// Sends a member to us.
    pub(crate) async fn ask(
        &self,
        server: &Server,
        member: Option<&SignedIn>,
        more: &[(&str, &str)],
    ) -> Result<Authorization, AuthorizeError> {
        authorize(&server.app, &self.query(more), member).await
    }

    /// The member answers the form with this number. Gives the address to which the browser goes.
    pub(crate) async fn answer(
        &self,
        server: &Server,
        member: &SignedIn,
        (more, decision, form): (&[(&str, &str)], Decision, u8),
    ) -> Result<String, DecideConsentError> {
        let (shown_at, form) = (server.app.now(), [form; 32]);
        let answer = ConsentAnswer { decision, form, shown_at, address: ADDRESS };
        let address = decide_consent(&server.app, &self.query(more), member, answer).await?;
        Ok(address.expose_secret().to_owned())
    }

    /// The member says yes to a new form. Gives the code.
    pub(crate) async fn code(
        &self,
        server: &Server,
        member: &SignedIn,
        more: &[(&str, &str)],
    ) -> String {
        let form = server.app.random::<1>()[0];
        let answer = self.answer(server, member, (more, Decision::Allow, form)).await.unwrap();
        returned(&answer, "code").unwrap()
    }

    /// The member says yes, and the code is exchanged.
    pub(crate) async fn tokens(&self, server: &Server, member: &SignedIn, scope: &str) -> Tokens {
        let code = self.code(server, member, &[("scope", scope)]).await;
        Tokens::of(self.exchange(server, &code).await.unwrap())
    }

    /// Hands in a code.
    pub(crate) async fn exchange(&self, server: &Server, code: &str) -> Answer {
        self.exchange_with(server, code, &[]).await
    }

    pub(crate) async fn exchange_with(
        &self,
        server: &Server,
        code: &str,
        more: &[(&str, &str)],
    ) -> Answer {
        let uri = ("redirect_uri", &*self.redirect_uri);
        let own = [("grant_type", "authorization_code"), ("code", code), uri];
        self.request(server, &[&own, more].concat()).await
    }

    /// Hands in a refresh token.
    pub(crate) async fn refresh(&self, server: &Server, token: &str) -> Answer {
        self.refresh_with(server, token, &[]).await
    }

    pub(crate) async fn refresh_with(
        &self,
        server: &Server,
        token: &str,
        more: &[(&str, &str)],
    ) -> Answer {
        let own = [("grant_type", "refresh_token"), ("refresh_token", token)];
        self.request(server, &[&own, more].concat()).await
    }

    async fn request(&self, server: &Server, pairs: &[(&str, &str)]) -> Answer {
        let body = self.body(pairs);
        request_tokens(&server.app, call(&body)).await
    }

    /// Asks what a token is good for.
    pub(crate) async fn introspect(
        &self,
        server: &Server,
        token: &str,
    ) -> Result<IntrospectionResponse, RequestTokensError> {
        introspect(&server.app, call(&self.body(&[("token", token)]))).await
    }

    /// Gives a token back.
    pub(crate) async fn revoke(
        &self,
        server: &Server,
        token: &str,
    ) -> Result<(), RequestTokensError> {
        revoke(&server.app, call(&self.body(&[("token", token)]))).await
    }

    fn body(&self, pairs: &[(&str, &str)]) -> String {
        let mut body = Serializer::new(String::new());
        body.extend_pairs(pairs).append_pair("client_id", &self.client_id);
        if let Some(secret) = &self.client_secret {
            body.append_pair("client_secret", secret);
        }
        body.finish()
    }
}

/// What the token endpoint answers.
pub(crate) type Answer = Result<TokenResponse, RequestTokensError>;

impl Tokens {
    pub(crate) fn of(answer: TokenResponse) -> Self {
        let refresh = answer.refresh_token.unwrap();
        let [access, refresh] =
            [answer.access_token, refresh].map(|token| token.expose_secret().to_owned());
        Self { access, refresh }
    }
}

fn call(body: &str) -> TokenCall<'_> {
    TokenCall { query: "", body: body.as_bytes(), authorization: None, address: ADDRESS }
}

/// A parameter of the address to which a browser goes.
pub(crate) fn returned(address: &str, name: &str) -> Option<String> {
    let (_, query) = address.split_once('?').unwrap();
    parse(query.as_bytes()).find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
}

/// What the client is told that is wrong.
#[track_caller]
pub(crate) fn error_code<T>(answer: Result<T, RequestTokensError>) -> ErrorCode {
    match answer {
        Err(RequestTokensError::Refused(error)) => error.code,
        Err(other) => panic!("another refusal: {other}"),
        Ok(_) => panic!("this was answered"),
    }
}
