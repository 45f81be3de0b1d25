//! A program shows its access token to the REST interface (RFC 6750).

use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use super::token_call::fetch_tokens;
use crate::site::{Answer, Site};

async fn get(site: &Site, path: &str, authorization: &[&str]) -> Answer {
    let request = authorization
        .iter()
        .fold(Request::get(path), |request, value| request.header("authorization", *value));
    site.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_token_opens_the_list_of_projects() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "config:read").await;

    for scheme in ["Bearer", "bearer", "BEARER"] {
        let answer = get(&site, "/v1/projects", &[&format!("{scheme} {}", tokens.access)]).await;
        assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.json(), json!([]));
    }
}

#[tokio::test]
async fn without_a_token_there_is_a_challenge_without_an_error() {
    let site = Site::start();

    for authorization in [&[][..], &["Token x"], &["Basic eDp5"]] {
        let answer = get(&site, "/v1/projects", authorization).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("www-authenticate")),
            (401, "Bearer realm=\"assay\""),
            "{authorization:?}"
        );
        assert_eq!(answer.header("content-type"), "application/problem+json");
        assert_eq!(answer.json()["status"], json!(401));
    }
}

#[tokio::test]
async fn a_token_that_is_none_is_invalid() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;
    let long = "a".repeat(5_000);
    let wrong = [
        &tokens.access[1..],
        &tokens.access.to_uppercase(),
        &tokens.refresh,
        &long,
        "a b",
        "eyJhbGciOiJub25lIn0.e30.",
    ];

    for token in wrong {
        let answer = get(&site, "/v1/projects", &[&format!("Bearer {token}")]).await;
        assert_eq!(answer.status.as_u16(), 401, "{token}");
        assert_eq!(
            answer.header("www-authenticate"),
            "Bearer realm=\"assay\", error=\"invalid_token\""
        );
    }
}

#[tokio::test]
async fn a_token_lives_for_two_hours() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;

    site.advance_seconds(7_199);
    assert_eq!(site.get_as("/v1/projects", &tokens.access).await.status.as_u16(), 200);
    site.advance_seconds(2);
    assert_eq!(site.get_as("/v1/projects", &tokens.access).await.status.as_u16(), 401);
}

#[tokio::test]
async fn a_token_belongs_in_the_header_and_nowhere_else() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;
    let in_query = format!("/v1/projects?access_token={}", tokens.access);
    let header = format!("Bearer {}", tokens.access);

    assert_eq!(site.get(&in_query).await.status.as_u16(), 401);
    assert_eq!(get(&site, &in_query, &[&header]).await.status.as_u16(), 400);
    let disguised = in_query.replace('_', "%5F");
    assert_eq!(get(&site, &disguised, &[&header]).await.status.as_u16(), 400);
    let twice = get(&site, "/v1/projects", &[&header, &header]).await;
    assert_eq!((twice.status.as_u16(), &twice.json()["code"]), (400, &json!("token_misplaced")));
    assert!(twice.json()["detail"].as_str().unwrap().contains("more than one"), "{twice:?}");
    let form = "application/x-www-form-urlencoded";
    let form = Request::post("/v1/projects").header("content-type", form);
    let form = form.header("authorization", &header).header("content-length", "2");
    let form = site.send(form.body(Body::from("{}")).unwrap()).await;
    assert_eq!((form.status.as_u16(), &form.json()["code"]), (400, &json!("token_misplaced")));
    assert!(form.json()["detail"].as_str().unwrap().contains("send JSON"), "{form:?}");
}

#[tokio::test]
async fn a_token_in_a_form_opens_nothing() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;
    let body = format!("access_token={}", tokens.access);
    let request = Request::post("/v1/projects/1000/decide")
        .header("content-type", "application/x-www-form-urlencoded");

    let answer = site.send(request.body(Body::from(body)).unwrap()).await;

    assert_eq!(answer.status.as_u16(), 401, "{answer:?}");
}

#[tokio::test]
async fn a_bearer_header_without_a_readable_token_is_unauthorized() {
    let site = Site::start();
    for value in [&b"Bearer \xff\xfe"[..], b"Bearer", b"Bearer ", b"", b"bearer\tx"] {
        let value = axum::http::HeaderValue::from_bytes(value).unwrap();
        let request = Request::get("/v1/projects").header("authorization", value);

        let answer = site.send(request.body(Body::empty()).unwrap()).await;

        assert_eq!(answer.status.as_u16(), 401, "{answer:?}");
        assert!(answer.header("www-authenticate").starts_with("Bearer realm="), "{answer:?}");
    }
}

#[tokio::test]
async fn a_token_in_a_form_is_neither_one_nor_welcome() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "all").await.access;
    let send = async |method: &str, headers: &[(&str, &str)]| {
        let form = format!("access_token={token}");
        let request = Request::builder().method(method).uri("/v1/projects");
        let request =
            headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let request = request
            .header("content-type", "application/x-www-form-urlencoded; charset=utf-8")
            .header("content-length", form.len());
        site.send(request.body(Body::from(form)).unwrap()).await
    };
    let shown = format!("Bearer {token}");

    for method in ["GET", "POST"] {
        let alone = send(method, &[]).await;
        let twice = send(method, &[("authorization", &shown)]).await;
        assert_eq!((alone.status.as_u16(), twice.status.as_u16()), (401, 400), "{method}");
        assert_eq!(alone.header("www-authenticate"), "Bearer realm=\"assay\"");
        assert!(twice.header("www-authenticate").contains("invalid_request"), "{twice:?}");
    }
}

#[tokio::test]
async fn a_scope_that_is_too_small_is_named() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "publish").await;

    let answer = site.get_as("/v1/projects", &tokens.access).await;

    assert_eq!(answer.status.as_u16(), 403);
    assert_eq!(
        answer.header("www-authenticate"),
        "Bearer realm=\"assay\", error=\"insufficient_scope\", scope=\"config:read\""
    );
}

#[tokio::test]
async fn lists_come_in_pages() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;

    let second = site.get_as("/v1/projects?page=2&per_page=10", &tokens.access).await;

    let link = second.header("link");
    assert!(
        link.contains("<https://assay.example/v1/projects?page=1&per_page=10>; rel=\"prev\""),
        "{link}"
    );
    for wrong in ["page=0", "per_page=0", "per_page=101", "page=x"] {
        let answer = site.get_as(&format!("/v1/projects?{wrong}"), &tokens.access).await;
        assert_eq!(answer.status.as_u16(), 400, "{wrong}");
    }
}

#[tokio::test]
async fn other_addresses_and_methods_are_problems_too() {
    let site = Site::start();

    let nowhere = site.get("/v1/nowhere").await;
    let request = Request::delete("/v1/projects").header("authorization", "Bearer x");
    let wrong = site.send(request.body(Body::empty()).unwrap()).await;
    let stranger = site.call(axum::http::Method::DELETE, "/v1/projects").await;

    assert_eq!(
        (nowhere.status.as_u16(), nowhere.header("content-type")),
        (404, "application/problem+json")
    );
    assert_eq!(
        (wrong.status.as_u16(), wrong.header("content-type")),
        (405, "application/problem+json")
    );
    assert_eq!(wrong.header("allow"), "GET,HEAD,POST");
    assert_eq!(stranger.status.as_u16(), 401, "{stranger:?}");
}
