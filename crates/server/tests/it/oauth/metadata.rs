//! What clients can find out about the server by themselves.

use serde_json::json;

use axum::body::Body;
use axum::http::{Method, Request};

use crate::browser::{Browser, authorize_path};
use crate::site::{PUBLIC_URL, Site};

#[tokio::test]
async fn the_metadata_names_what_exists_and_nothing_else() {
    let site = Site::start();

    let metadata = site.get("/.well-known/oauth-authorization-server").await;

    assert_eq!(metadata.header("content-type"), "application/json");
    let any = json!(["client_secret_basic", "client_secret_post", "none"]);
    assert_eq!(
        metadata.json(),
        json!({
            "issuer": PUBLIC_URL,
            "authorization_endpoint": "https://assay.example/oauth2/authorize",
            "token_endpoint": "https://assay.example/oauth2/token",
            "revocation_endpoint": "https://assay.example/oauth2/revoke",
            "introspection_endpoint": "https://assay.example/oauth2/introspect",
            "scopes_supported": [
                "config:read", "config:write", "publish", "results:read", "events:write", "members:write", "audit:read"
            ],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": any,
            "revocation_endpoint_auth_methods_supported": any,
            "introspection_endpoint_auth_methods_supported": [
                "client_secret_basic", "client_secret_post"
            ],
            "code_challenge_methods_supported": ["S256"],
            "prompt_values_supported": ["none", "login", "consent", "select_account"],
            "authorization_response_iss_parameter_supported": true,
        })
    );
}

#[tokio::test]
async fn every_endpoint_it_names_is_there() {
    let site = Site::start();
    let metadata = site.get("/.well-known/oauth-authorization-server").await.json();

    let endpoints =
        metadata.as_object().unwrap().iter().filter(|(name, _)| name.ends_with("_endpoint"));
    for (name, address) in endpoints {
        let path = address.as_str().unwrap().strip_prefix(PUBLIC_URL).unwrap();
        let answer = site.call(Method::POST, path).await;
        assert!([400, 401].contains(&answer.status.as_u16()), "{name}: {answer:?}");
    }
}

#[tokio::test]
async fn the_host_header_changes_nothing() {
    let site = Site::start();
    let request = Request::get("/.well-known/oauth-authorization-server")
        .header("host", "evil.example")
        .header("x-forwarded-host", "evil.example")
        .header("x-forwarded-proto", "http");

    let answer = site.send(request.body(Body::empty()).unwrap()).await;

    assert!(!answer.body.contains("evil"), "{}", answer.body);
    assert_eq!(answer.json()["issuer"], json!(PUBLIC_URL));
}

#[tokio::test]
async fn pages_and_answers_to_clients_do_not_believe_the_host_header_either() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let ask = |path: String| {
        let request = Request::get(path).header("host", "evil.example");
        let request = request.header("forwarded", "host=evil.example;proto=http");
        request.header("x-forwarded-host", "evil.example").body(Body::empty()).unwrap()
    };

    let page = site.send(ask(authorize_path(&application, &[]))).await;
    let error = site.send(ask(authorize_path(&application, &[("prompt", "none")]))).await;
    let signed_in = Browser::new(&site).sign_in(&page, &member).await;

    assert!(!page.body.contains("evil") && page.body.contains("action=\"/sign-in\""));
    assert_eq!(error.returned("iss").as_deref(), Some(PUBLIC_URL));
    assert!(!signed_in.header("location").contains("evil"), "{signed_in:?}");
}

#[tokio::test]
async fn health_is_told() {
    let site = Site::start();

    assert_eq!(site.get("/healthz").await.status.as_u16(), 200);
    assert_eq!(site.get("/readyz").await.status.as_u16(), 200);
}
