//! The OpenID Connect provider at which members sign in, as `openidconnect` speaks with it: discovery, code exchange with PKCE, and the
//! check of the ID token. It blocks, so that it runs on threads of its own, a few at a time.

mod checks;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use app::PublicUrl;
use app::identities::{IdentityProvider, ProviderAnswer, ProviderError, ProviderQuestion};
use async_trait::async_trait;
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreIdTokenClaims, CoreProviderMetadata, CoreTokenResponse,
    CoreUserInfoClaims,
};
use openidconnect::{
    AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet, EndpointNotSet,
    EndpointSet, HttpRequest, HttpResponse, IssuerUrl, Nonce, OAuth2TokenResponse as _,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
};
use secrecy::{ExposeSecret as _, SecretString};
use storage::Identity;
use tokio::sync::Semaphore;
use ureq::Agent;

use self::checks::{check_endpoints, claims};
use crate::cli::IdentityArguments;
use crate::failure::Failure;
use crate::{authorities, proxies, secret_file};

/// A person waits for each of these requests.
const PATIENCE: Duration = Duration::from_secs(10);

/// Metadata and keys have some kilobytes.
const ANSWER_BYTES_AT_MOST: u64 = 1024 * 1024;

/// Metadata and keys change rarely, and a key that is not known yet is asked for at once.
const METADATA_KEPT_FOR: Duration = Duration::from_mins(10);

/// More sign-ins than this at once wait: strangers cannot make this server send many requests.
const AT_ONCE: usize = 8;

/// Where the provider sends the browser back to.
const RETURN_PATH: &str = "/sign-in/provider/callback";

/// A client whose provider has said where its endpoints are.
type ReadyClient = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// A provider that the operator has configured.
pub(crate) struct OpenIdProvider {
    name: String,
    inner: Arc<Inner>,
    turns: Arc<Semaphore>,
}

struct Inner {
    issuer: IssuerUrl,
    client_id: ClientId,
    client_secret: Option<ClientSecret>,
    redirect_url: RedirectUrl,
    trusts_unverified_email: bool,
    agent: Agent,
    metadata: Mutex<Option<(Instant, CoreProviderMetadata)>>,
}

impl OpenIdProvider {
    /// The provider that the arguments name, if any.
    pub(crate) fn of(
        arguments: &IdentityArguments,
        public_url: &PublicUrl,
    ) -> Result<Option<Self>, Failure> {
        let Some(issuer) = &arguments.oidc_issuer else { return Ok(None) };
        let issuer = IssuerUrl::new(issuer.clone()).map_err(Failure::input)?;
        let redirect_url = RedirectUrl::new(public_url.join(RETURN_PATH));
        let redirect_url = redirect_url.map_err(Failure::environment)?;
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(proxies::from_environment())
            .timeout_global(Some(PATIENCE))
            .tls_config(authorities::tls())
            .build();
        let secret_file = arguments.oidc_client_secret_file.as_deref();
        let secret = secret_file.map(|path| secret_file::read("--oidc-client-secret-file", path));
        let secret = secret.transpose()?;
        let inner = Inner {
            issuer,
            client_id: ClientId::new(arguments.oidc_client_id.clone().unwrap_or_default()),
            client_secret: secret
                .map(|secret| ClientSecret::new(secret.expose_secret().to_owned())),
            redirect_url,
            trusts_unverified_email: arguments.oidc_trust_unverified_email,
            agent: agent.into(),
            metadata: Mutex::default(),
        };
        let turns = Arc::new(Semaphore::new(AT_ONCE));
        Ok(Some(Self { name: arguments.oidc_name.clone(), inner: Arc::new(inner), turns }))
    }

    /// Runs what blocks on a thread that may block. The turn goes with the work: a browser that hangs up does not free it early.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T, ProviderError> + Send + 'static,
    ) -> Result<T, ProviderError> {
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(unavailable)?;
        let inner = Arc::clone(&self.inner);
        let work = move || {
            let _turn = turn;
            work(&inner)
        };
        tokio::task::spawn_blocking(work).await.map_err(unavailable)?
    }
}

#[async_trait]
impl IdentityProvider for OpenIdProvider {
    fn name(&self) -> &str {
        &self.name
    }

    fn issuer(&self) -> &str {
        self.inner.issuer.as_str()
    }

    async fn address_for(&self, question: &ProviderQuestion) -> Result<String, ProviderError> {
        let question = RequestSecrets::of(question);
        self.run(move |inner| inner.address_for(&question)).await
    }

    async fn identify(
        &self,
        code: SecretString,
        question: &ProviderQuestion,
    ) -> Result<ProviderAnswer, ProviderError> {
        let question = RequestSecrets::of(question);
        self.run(move |inner| inner.identify(&code, &question)).await
    }
}

/// What binds an answer to its question, in the words of the protocol.
struct RequestSecrets {
    state: String,
    nonce: Nonce,
    verifier: SecretString,
}

impl RequestSecrets {
    fn of(question: &ProviderQuestion) -> Self {
        Self {
            state: question.state.clone(),
            nonce: Nonce::new(question.nonce.clone()),
            verifier: question.verifier.clone(),
        }
    }

    fn verifier(&self) -> PkceCodeVerifier {
        PkceCodeVerifier::new(self.verifier.expose_secret().to_owned())
    }
}

impl Inner {
    fn address_for(&self, question: &RequestSecrets) -> Result<String, ProviderError> {
        let client = self.client(self.metadata(METADATA_KEPT_FOR)?);
        let (state, nonce) = (question.state.clone(), question.nonce.clone());
        let flow = CoreAuthenticationFlow::AuthorizationCode;
        let request = client.authorize_url(flow, || CsrfToken::new(state), || nonce);
        let (address, _, _) = request
            .add_scope(Scope::new("email".to_owned()))
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&question.verifier()))
            .url();
        Ok(address.into())
    }

    fn identify(
        &self,
        code: &SecretString,
        question: &RequestSecrets,
    ) -> Result<ProviderAnswer, ProviderError> {
        let client = self.client(self.metadata(METADATA_KEPT_FOR)?);
        let code = AuthorizationCode::new(code.expose_secret().to_owned());
        let tokens: CoreTokenResponse = client
            .exchange_code(code)
            .map_err(not_valid)?
            .set_pkce_verifier(question.verifier())
            .request(&|request| self.send(request))
            .map_err(not_valid)?;
        let claims = if let Ok(claims) = claims(&client, &tokens, &question.nonce) {
            claims
        } else {
            // The provider may have new keys.
            let renewed = self.client(self.metadata(Duration::ZERO)?);
            claims(&renewed, &tokens, &question.nonce)?
        };
        let identity =
            Identity { issuer: claims.issuer().to_string(), subject: claims.subject().to_string() };
        let email = EmailClaim::by_token(&claims);
        let email =
            if email.address.is_some() { email } else { self.ask_more(&client, &tokens, &claims)? };
        Ok(ProviderAnswer { identity, verified_email: self.believed(email) })
    }

    fn believed(&self, email: EmailClaim) -> Option<String> {
        email.address.filter(|_| email.is_verified || self.trusts_unverified_email)
    }

    /// What the provider says about a person whose ID token has no e-mail address (OpenID Connect Core section 5.3).
    fn ask_more(
        &self,
        client: &ReadyClient,
        tokens: &CoreTokenResponse,
        claims: &CoreIdTokenClaims,
    ) -> Result<EmailClaim, ProviderError> {
        let subject = Some(claims.subject().clone());
        let Ok(request) = client.user_info(tokens.access_token().clone(), subject) else {
            return Ok(EmailClaim::none());
        };
        let claims: CoreUserInfoClaims =
            request.request(&|request| self.send(request)).map_err(not_valid)?;
        Ok(EmailClaim {
            address: claims.email().map(|email| email.to_string()),
            is_verified: claims.email_verified() == Some(true),
        })
    }

    fn client(&self, metadata: CoreProviderMetadata) -> ReadyClient {
        let (id, secret) = (self.client_id.clone(), self.client_secret.clone());
        CoreClient::from_provider_metadata(metadata, id, secret)
            .set_redirect_uri(self.redirect_url.clone())
    }

    /// Where the provider's endpoints are and what its keys are, no older than this.
    fn metadata(&self, at_most: Duration) -> Result<CoreProviderMetadata, ProviderError> {
        let known = self.metadata.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((read_at, metadata)) = known
            && read_at.elapsed() < at_most
        {
            return Ok(metadata);
        }
        let read = CoreProviderMetadata::discover(&self.issuer, &|request| self.send(request));
        let metadata = read.map_err(unavailable)?;
        check_endpoints(&metadata)?;
        let known = Some((Instant::now(), metadata.clone()));
        *self.metadata.lock().unwrap_or_else(PoisonError::into_inner) = known;
        Ok(metadata)
    }

    fn send(&self, request: HttpRequest) -> Result<HttpResponse, ureq::Error> {
        let (head, mut body) = self.agent.run(request)?.into_parts();
        let body = body.with_config().limit(ANSWER_BYTES_AT_MOST).read_to_vec()?;
        Ok(HttpResponse::from_parts(head, body))
    }
}

/// What the provider says about an e-mail address.
struct EmailClaim {
    address: Option<String>,
    is_verified: bool,
}

impl EmailClaim {
    const fn none() -> Self {
        Self { address: None, is_verified: false }
    }

    fn by_token(claims: &CoreIdTokenClaims) -> Self {
        Self {
            address: claims.email().map(|email| email.to_string()),
            is_verified: claims.email_verified() == Some(true),
        }
    }
}

fn unavailable(error: impl std::error::Error) -> ProviderError {
    ProviderError::Unavailable(with_causes(&error))
}

fn not_valid(error: impl std::error::Error) -> ProviderError {
    ProviderError::NotValid(with_causes(&error))
}

/// An error with what caused it. The causes quote no secret: the codes and tokens of a request stand in none of them.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    let told = causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"));
    match authorities::hint(&told) {
        Some(hint) => format!("{told}; {hint}"),
        None => told,
    }
}
