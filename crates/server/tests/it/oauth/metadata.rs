//! What clients can find out about the server by themselves.

use serde_json::json;

use crate::site::{PUBLIC_URL, Site};
use axum::body::Body;
use axum::http::Request;

#[tokio::test]
async fn the_metadata_names_what_exists() {
    let site = Site::start();

    let metadata = site.get("/.well-known/oauth-authorization-server").await.json();

    assert_eq!(metadata["issuer"], json!(PUBLIC_URL));
    assert_eq!(metadata["authorization_endpoint"], json!("https://assay.example/oauth2/authorize"));
    assert_eq!(metadata["token_endpoint"], json!("https://assay.example/oauth2/token"));
    assert_eq!(metadata["response_types_supported"], json!(["code"]));
    assert_eq!(metadata["code_challenge_methods_supported"], json!(["S256"]));
    assert_eq!(metadata["authorization_response_iss_parameter_supported"], json!(true));
    assert_eq!(metadata["revocation_endpoint"], json!("https://assay.example/oauth2/revoke"));
    assert_eq!(
        metadata["introspection_endpoint"],
        json!("https://assay.example/oauth2/introspect")
    );
    assert!(metadata.get("registration_endpoint").is_none());
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
async fn health_is_told() {
    let site = Site::start();

    assert_eq!(site.get("/healthz").await.status.as_u16(), 200);
    assert_eq!(site.get("/readyz").await.status.as_u16(), 200);
}
