//! Applications that run in a browser read and change projects with their access tokens (the Fetch standard, "CORS protocol").

use axum::body::Body;
use axum::http::{Method, Request};

use super::{Program, SHOP};
use crate::site::Answer;

const PAGE: &str = "https://dashboard.example";

async fn from_page(program: &Program, path: &str, authorization: &str) -> Answer {
    let request = Request::get(path).header("origin", PAGE).header("authorization", authorization);
    program.site.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_browser_learns_that_a_page_may_show_a_token() {
    let program = Program::with_hero().await;
    let asking = Request::builder()
        .method(Method::OPTIONS)
        .uri(format!("{SHOP}/campaigns/3001"))
        .header("origin", PAGE)
        .header("access-control-request-method", "PATCH")
        .header("access-control-request-headers", "authorization,content-type,if-match");

    let answer = program.site.send(asking.body(Body::empty()).unwrap()).await;

    assert_eq!((answer.status.as_u16(), answer.body.as_str()), (204, ""));
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert_eq!(answer.header("access-control-allow-methods"), "GET, POST, PUT, PATCH, DELETE");
    assert_eq!(answer.header("access-control-allow-headers"), "Authorization, *");
    assert_eq!(answer.header("access-control-allow-credentials"), "");
}

#[tokio::test]
async fn a_page_reads_what_the_api_answers_and_what_it_refuses() {
    let program = Program::with_hero().await;
    let token = format!("Bearer {}", program.token);
    let campaign = format!("{SHOP}/campaigns/3001");
    for (path, authorization, status) in [
        (campaign.as_str(), token.as_str(), 200),
        (&campaign, "Bearer stale", 401),
        ("/v1/nothing", &token, 404),
        ("/v1/projects?pgae=2", &token, 400),
    ] {
        let answer = from_page(&program, path, authorization).await;

        assert_eq!(answer.status.as_u16(), status, "{answer:?}");
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{answer:?}");
        assert_eq!(answer.header("access-control-expose-headers"), "*", "{answer:?}");
        assert_eq!(answer.header("access-control-allow-credentials"), "", "{answer:?}");
    }
}

#[tokio::test]
async fn no_page_of_another_site_reads_the_console() {
    let program = Program::with_hero().await;
    for path in ["/sign-in", "/", "/projects/1000", "/healthz"] {
        let answer = from_page(&program, path, "").await;

        assert_eq!(answer.header("access-control-allow-origin"), "", "{path}: {answer:?}");
    }
}
