//! The crate `oauth2`, as a Rust application uses it, through its whole life with the real binary. Client libraries of other
//! languages are in `e2e/clients/`.

use axum::body::Body;
use oauth2::basic::{BasicClient, BasicErrorResponseType};
use oauth2::{
    AccessToken, AuthType, AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken,
    EndpointNotSet, EndpointSet, HttpRequest, HttpResponse, IntrospectionUrl, PkceCodeChallenge,
    RedirectUrl, RequestTokenError, RevocationUrl, StandardRevocableToken,
    TokenIntrospectionResponse as _, TokenResponse as _, TokenUrl,
};

use crate::browser::Browser;
use crate::command_line::binary::Folder;
use crate::door::{Door as _, Running};
use crate::site::Application;

const REDIRECT_URI: &str = "https://client.example/callback?from=assay";

type Client = BasicClient<EndpointSet, EndpointNotSet, EndpointSet, EndpointSet, EndpointSet>;

/// The library revokes a token only over `https`; [`deliver`] leaves the host out.
fn client(application: &Application, authentication: AuthType) -> Client {
    let url = |name: &str| format!("https://assay.example/oauth2/{name}");
    let client = BasicClient::new(ClientId::new(application.client_id.clone()))
        .set_auth_uri(AuthUrl::new(url("authorize")).unwrap())
        .set_token_uri(TokenUrl::new(url("token")).unwrap())
        .set_introspection_url(IntrospectionUrl::new(url("introspect")).unwrap())
        .set_revocation_url(RevocationUrl::new(url("revoke")).unwrap())
        .set_redirect_uri(RedirectUrl::new(application.redirect_uri.clone()).unwrap())
        .set_auth_type(authentication);
    if application.client_secret.is_empty() {
        return client;
    }
    client.set_client_secret(ClientSecret::new(application.client_secret.clone()))
}

/// Brings a request of the library to the server.
async fn deliver(
    server: &Running,
    request: HttpRequest,
) -> Result<HttpResponse, axum::http::Error> {
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path().to_owned();
    parts.uri = path.parse()?;
    let answer = server.send(axum::http::Request::from_parts(parts, Body::from(body))).await;
    let mut response = HttpResponse::new(answer.body.into_bytes());
    *response.status_mut() = answer.status;
    *response.headers_mut() = answer.headers;
    Ok(response)
}

async fn opens(server: &Running, token: &AccessToken) -> bool {
    let request = axum::http::Request::get("/v1/projects");
    let request = request.header("authorization", format!("Bearer {}", token.secret()));
    server.send(request.body(Body::empty()).unwrap()).await.status == 200
}

/// Goes through everything with an application that proves itself like this.
async fn tell(authentication: AuthType, flags: &[&str]) {
    let server = Running::start_in(Folder::new());
    let application = server.register(REDIRECT_URI, flags);
    let is_public = application.client_secret.is_empty();
    let client = client(&application, authentication);
    let carry = |request| deliver(&server, request);
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let (url, state) =
        client.authorize_url(CsrfToken::new_random).set_pkce_challenge(challenge).url();
    let path = url[oauth2::url::Position::BeforePath..].to_owned();

    let browser = Browser::new(&server);
    let page = browser.open(&path).await;
    let consent = browser.open(browser.sign_in(&page, &server.member()).await.location()).await;
    let answer = browser.submit(&consent, &[("decision", "allow")]).await;
    assert_eq!(answer.returned("state").as_ref(), Some(state.secret()));
    let code = AuthorizationCode::new(answer.returned("code").unwrap());

    let exchange = client.exchange_code(code).set_pkce_verifier(verifier);
    let first = exchange.request_async(&carry).await.unwrap();
    assert_eq!(first.expires_in().unwrap().as_secs(), 7_200);
    assert!(opens(&server, first.access_token()).await);

    let kept = first.refresh_token().unwrap();
    let second = client.exchange_refresh_token(kept).request_async(&carry).await.unwrap();
    assert!(opens(&server, second.access_token()).await);
    assert_eq!(second.refresh_token().is_some(), is_public);
    let kept = second.refresh_token().unwrap_or(kept);

    if !is_public {
        let introspection = client.introspect(second.access_token());
        assert!(introspection.request_async(&carry).await.unwrap().active());
    }
    let given_back = StandardRevocableToken::from(kept.clone());
    client.revoke_token(given_back).unwrap().request_async(&carry).await.unwrap();
    assert!(!opens(&server, second.access_token()).await);
    let refused = client.exchange_refresh_token(kept).request_async(&carry).await.unwrap_err();
    let RequestTokenError::ServerResponse(refused) = refused else { panic!("{refused:?}") };
    assert_eq!(*refused.error(), BasicErrorResponseType::InvalidGrant);
}

#[tokio::test]
async fn the_oauth2_crate_works_by_basic() {
    tell(AuthType::BasicAuth, &[]).await;
}

#[tokio::test]
async fn the_oauth2_crate_works_with_the_secret_in_the_body() {
    tell(AuthType::RequestBody, &[]).await;
}

#[tokio::test]
async fn the_oauth2_crate_works_without_a_secret() {
    tell(AuthType::RequestBody, &["--public"]).await;
}
