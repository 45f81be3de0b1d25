//! `POST /v1/projects/{id}/decide`.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use super::SHOP;
use crate::oauth::token_call::fetch_tokens;
use crate::shop::publish_text;
use crate::site::{Answer, Site};

/// A program with a token of some scope.
pub(super) struct Program {
    pub(super) site: Site,
    token: String,
}

impl Program {
    async fn with_scope(scope: &str) -> Self {
        let site = Site::start();
        let application = site.application().await;
        publish_text(&site, SHOP).await;
        let token = fetch_tokens(&site, &application, scope).await.access;
        Self { site, token }
    }

    pub(super) async fn new() -> Self {
        Self::with_scope("config:read").await
    }

    pub(super) async fn ask(&self, visit: &Value) -> Answer {
        self.post("/v1/projects/1000/decide", "application/json", &visit.to_string()).await
    }

    async fn post(&self, path: &str, content_type: &str, body: &str) -> Answer {
        let request = Request::post(path)
            .header("authorization", format!("Bearer {}", self.token))
            .header("content-type", content_type);
        self.site.send(request.body(Body::from(body.to_owned())).unwrap()).await
    }
}

fn visit() -> Value {
    json!({"visitor_id": "ada", "url": "https://shop.example/"})
}

/// A visit that says one thing more.
pub(super) fn visit_with(field: &str, value: Value) -> Value {
    let mut visit = visit();
    visit[field] = value;
    visit
}

/// Status, and where and what each error is.
pub(super) fn problem(answer: &Answer) -> (u16, Vec<(String, String)>) {
    assert_eq!(answer.header("content-type"), "application/problem+json", "{answer:?}");
    let text = |error: &Value, name: &str| error[name].as_str().unwrap().to_owned();
    let errors = answer.json()["errors"].as_array().cloned().unwrap_or_default();
    let errors = errors.iter().map(|error| (text(error, "pointer"), text(error, "detail")));
    (answer.status.as_u16(), errors.collect())
}

#[tokio::test]
async fn a_program_asks_what_a_visitor_gets() {
    let program = Program::new().await;

    let answer = program.ask(&visit()).await;

    assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
    assert_eq!(answer.header("cache-control"), "no-store");
    let answer = answer.json();
    assert_eq!(answer["active_experiment_ids"], json!(["4001"]));
    assert_eq!(answer["campaigns"][0]["variation"]["key"], "original");
    assert_eq!(answer["campaigns"][1]["is_decided"], false);
}

#[tokio::test]
async fn the_answer_is_about_the_live_revision() {
    let program = Program::new().await;
    program.ask(&visit()).await;

    let other = SHOP.replace("name: Original, weight: 5000", "name: Original, weight: 0");
    publish_text(&program.site, &other).await;

    let answer = program.ask(&visit()).await.json();
    assert_eq!(answer["campaigns"][0]["variation"]["key"], "short");
}

#[tokio::test]
async fn a_page_that_the_site_activates_is_named_by_key_or_id() {
    let program = Program::new().await;

    for page in ["checkout", "2002"] {
        let answer = program.ask(&visit_with("pages", json!([page]))).await.json();
        assert_eq!(answer["campaigns"][1]["is_decided"], true, "{page}");
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_visit_has_a_pointer() {
    let program = Program::new().await;

    let unknown_field = program.ask(&visit_with("cookie", json!({}))).await;
    let wrong_type = program.ask(&visit_with("cookies", json!({"a": "1", "b/c": 2}))).await;
    let unknown_names = program
        .ask(&json!({"visitor_id": "ada", "url": "https://shop.example/", "attributes": {"paln": "pro"}, "pages": ["home", "chekout"]}))
        .await;

    let (status, errors) = problem(&unknown_field);
    assert_eq!((status, errors[0].0.as_str()), (422, "#/cookie"));
    assert!(errors[0].1.contains("did you mean `cookies`?"), "{errors:?}");
    let (status, errors) = problem(&wrong_type);
    assert_eq!((status, errors[0].0.as_str()), (422, "#/cookies/b~1c"), "{errors:?}");
    let (status, errors) = problem(&unknown_names);
    let expected = [
        (
            "#/attributes/paln",
            "there is no attribute `paln` (line 1, column 72); did you mean `plan`?",
        ),
        ("#/pages/1", "there is no page `chekout` (line 1, column 95); did you mean `checkout`?"),
    ];
    assert_eq!(
        (status, errors),
        (422, expected.map(|(at, what)| (at.to_owned(), what.to_owned())).to_vec())
    );
}

#[tokio::test]
async fn a_body_that_is_no_json_is_refused() {
    let program = Program::new().await;
    let path = "/v1/projects/1000/decide";
    let visit = visit().to_string();

    let broken = program.post(path, "application/json", "{\"visitor_id\"").await;
    let form = program.post(path, "application/x-www-form-urlencoded", &visit).await;
    let long = program.post(path, "application/json", &" ".repeat(70_000)).await;
    let with_charset = program.post(path, "Application/JSON; charset=utf-8", &visit).await;

    let (status, errors) = problem(&broken);
    assert_eq!((status, errors[0].0.as_str()), (400, "#"));
    assert!(errors[0].1.starts_with("not readable as JSON"), "{errors:?}");
    assert_eq!((problem(&form).0, form.header("accept")), (415, "application/json"));
    assert_eq!(problem(&long).0, 413);
    assert_eq!(with_charset.status.as_u16(), 200);
}

#[tokio::test]
async fn only_projects_that_are_live_answer() {
    let program = Program::new().await;

    for path in ["/v1/projects/1001/decide", "/v1/projects/shop/decide"] {
        let answer = program.post(path, "application/json", &visit().to_string()).await;
        assert_eq!(problem(&answer).0, 404, "{path}");
    }
}

#[tokio::test]
async fn asking_needs_a_token_that_may_read() {
    let program = Program::with_scope("publish").await;

    let refused = program.ask(&visit()).await;
    let stranger = Program { token: "none".to_owned(), ..program };
    let unknown = stranger.ask(&visit()).await;

    assert_eq!(refused.status.as_u16(), 403);
    assert!(refused.header("www-authenticate").contains("scope=\"config:read\""));
    assert_eq!(unknown.status.as_u16(), 401);
}
