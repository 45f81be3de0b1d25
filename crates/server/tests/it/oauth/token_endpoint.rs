//! The token endpoint as a piece of HTTP.

use axum::body::Body;
use axum::http::{Method, Request};

use super::token_call::{FORM, assert_error, by_form, by_query, exchange};
use crate::browser::Browser;
use crate::site::{Site, encode};

#[tokio::test]
async fn only_post_is_taken_and_the_code_is_not_spent() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let code = Browser::new(&site).fetch_code(&member, &application, &[]).await;
    let pairs = exchange(&application, &code);

    for method in
        [Method::GET, Method::HEAD, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS]
    {
        let answer = site.call(method.clone(), &format!("/oauth2/token?{}", encode(&pairs))).await;
        assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, "POST"), "{method}");
        assert_eq!(answer.header("access-control-allow-credentials"), "");
        assert_eq!(answer.header("cache-control"), "no-store");
    }
    assert_eq!(by_query(&site, &pairs).await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_body_that_is_no_form_is_refused() {
    let site = Site::start();
    for content_type in
        ["application/json", "multipart/form-data; boundary=x", "text/plain", "application/xml"]
    {
        let request = Request::post("/oauth2/token").header("content-type", content_type);
        let answer = site
            .send(request.body(Body::from("{\"grant_type\":\"authorization_code\"}")).unwrap())
            .await;
        assert_error(&answer, 400, "invalid_request");
    }
    let untyped =
        Request::post("/oauth2/token").body(Body::from("grant_type=authorization_code")).unwrap();
    assert_error(&site.send(untyped).await, 400, "invalid_request");
}

#[tokio::test]
async fn a_form_may_name_its_charset_and_an_empty_body_any_type() {
    let site = Site::start();
    let typed = |content_type: &str, query: &str, body: &'static str| {
        let uri = format!("/oauth2/token?{query}");
        Request::post(uri).header("content-type", content_type).body(Body::from(body)).unwrap()
    };

    let form = site
        .send(typed(&format!("{FORM}; charset=UTF-8"), "", "grant_type=password&client_id=a"))
        .await;
    let empty = site.send(typed("application/json", "grant_type=password&client_id=a", "")).await;

    assert_eq!(form.body, empty.body);
    assert!(!form.body.contains("invalid_request"), "{form:?}");
}

#[tokio::test]
async fn nothing_at_all_is_an_error_of_the_caller() {
    let site = Site::start();

    let answer = by_query(&site, &[]).await;

    assert!(answer.status.is_client_error(), "{answer:?}");
    assert_error(&answer, answer.status.as_u16(), answer.json()["error"].as_str().unwrap());
}

#[tokio::test]
async fn a_large_body_is_refused_before_it_is_read_whole() {
    let site = Site::start();
    let body = "a".repeat(3 << 20);

    let told = Request::post("/oauth2/token")
        .header("content-type", FORM)
        .header("content-length", body.len());
    let answer = site.send(told.body(Body::from(body.clone())).unwrap()).await;
    assert_error(&answer, 413, "invalid_request");

    let untold =
        Request::post("/oauth2/token").header("content-type", FORM).body(Body::from(body)).unwrap();
    assert_error(&site.send(untold).await, 413, "invalid_request");
}

#[tokio::test]
async fn malformed_and_excessive_parameters_are_refused() {
    let site = Site::start();
    let many = (0..2_000).map(|number| format!("a{number}=1")).collect::<Vec<_>>().join("&");
    for body in ["code=%", "code=%zz", "code=%ff%fe", &many] {
        let request = Request::post("/oauth2/token").header("content-type", FORM);
        let answer = site.send(request.body(Body::from(body.to_owned())).unwrap()).await;
        assert_error(&answer, 400, "invalid_request");
    }
    let raw = Request::post("/oauth2/token")
        .header("content-type", FORM)
        .body(Body::from(vec![0, 0xff]))
        .unwrap();
    assert_error(&site.send(raw).await, 400, "invalid_request");
}

#[tokio::test]
async fn a_parameter_in_the_query_and_in_the_body_is_refused() {
    let site = Site::start();
    let request =
        Request::post("/oauth2/token?grant_type=authorization_code").header("content-type", FORM);

    let answer =
        site.send(request.body(Body::from("grant_type=authorization_code")).unwrap()).await;

    assert_error(&answer, 400, "invalid_request");
}

#[tokio::test]
async fn error_texts_are_ours() {
    let site = Site::start();
    let application = site.application().await;
    let nasty = "\"\\<script>\u{202e}";

    let answer = by_form(&site, &exchange(&application, nasty)).await;

    assert_error(&answer, 400, "invalid_grant");
    assert!(!answer.body.contains("<script"), "{}", answer.body);
}
