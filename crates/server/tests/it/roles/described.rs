//! Answers are as the description of the API says: they lack no field that it promises, and have none that it does not know.

use axum::http::Method;
use serde_json::{Value, json};
use storage::RoleGrant;

use super::{Call, shops, token_with};
use crate::site::Answer;

/// What is wrong with an answer, by the schema that its operation has for its status.
fn objections(
    description: &Value,
    (method, path): (&Method, &str),
    answer: &Answer,
) -> Vec<String> {
    let method = method.as_str().to_lowercase();
    let told = &description["paths"][path][method.as_str()]["responses"][answer.status.as_str()];
    let schema = &told["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "{path}: {answer:?}");
    let mut whole = schema.clone();
    whole["components"] = description["components"].clone();
    let validator = jsonschema::draft202012::new(&whole).unwrap();
    let body = answer.json();
    let errors = validator.iter_errors(&body);
    errors.map(|error| format!("{method} {path} {}: {error}", error.instance_path())).collect()
}

/// A method, the address as it is described, the one that is asked, and a body.
type Request = (Method, &'static str, &'static str, Option<Value>);

/// The last of them ends the token.
fn about_people() -> Vec<Request> {
    let new_member = json!({"email": "bob@example.com", "role": "editor", "project": "1000"});
    let new_client = json!({"name": "A", "redirect_uris": ["https://a.example/"]});
    vec![
        (Method::GET, "/v1/me", "/v1/me", None),
        (Method::GET, "/v1/members", "/v1/members", None),
        (Method::POST, "/v1/members", "/v1/members", Some(new_member)),
        (Method::GET, "/v1/members/{id}", "/v1/members/{member}", None),
        (Method::PATCH, "/v1/members/{id}", "/v1/members/{member}", Some(json!({}))),
        (Method::GET, "/v1/members/{id}/applications", "/v1/members/{member}/applications", None),
        (
            Method::POST,
            "/v1/tokens",
            "/v1/tokens",
            Some(
                json!({"name": "deploy", "scopes": ["publish"], "service": {"roles": [{"role": "viewer"}]}}),
            ),
        ),
        (Method::GET, "/v1/tokens", "/v1/tokens", None),
        (Method::GET, "/v1/applications", "/v1/applications", None),
        (Method::POST, "/v1/applications", "/v1/applications", Some(new_client)),
        (Method::GET, "/v1/applications/{id}", "/v1/applications/{client}", None),
        (Method::PATCH, "/v1/applications/{id}", "/v1/applications/{client}", Some(json!({}))),
        (
            Method::POST,
            "/v1/applications/{id}/actions",
            "/v1/applications/{client}/actions",
            Some(json!({"action": "enable"})),
        ),
        (
            Method::POST,
            "/v1/applications/{id}/secrets",
            "/v1/applications/{client}/secrets",
            Some(json!({"note": "2027"})),
        ),
        (Method::GET, "/v1/applications/{id}/secrets", "/v1/applications/{client}/secrets", None),
        (
            Method::POST,
            "/v1/members/{id}/actions",
            "/v1/members/{member}/actions",
            Some(json!({"action": "remove_passkeys"})),
        ),
    ]
}

fn about_a_project() -> Vec<Request> {
    let visit = json!({
        "visitor_id": "ada", "url": "https://shop.example/", "cookies": {"a": "1"},
        "location": {"country": "DE"}, "history": [{"event": "buy", "days_ago": 1}],
        "remembered": {"device": "mobile"}, "local_time": "2026-11-21T09:30", "first_session": true,
    });
    let link = json!({"url": "https://shop.example/", "variations": ["a"], "expires_in": 60});
    let id = "/v1/projects/{id}";
    vec![
        (Method::POST, "/v1/projects/{id}/preview-links", "{id}/preview-links", Some(link)),
        (Method::GET, "/v1/projects/{id}/preview-links", "{id}/preview-links", None),
        (
            Method::POST,
            "/v1/projects/{id}/visual-editor-links",
            "{id}/visual-editor-links",
            Some(json!({"url": "https://shop.example/", "variation": "a"})),
        ),
        (Method::POST, "/v1/projects/{id}/decide", "{id}/decide", Some(visit)),
        (Method::GET, "/v1/projects", "/v1/projects", None),
        (Method::GET, id, "{id}", None),
        (Method::GET, "/v1/projects/{id}/installations", "{id}/installations", None),
        (Method::GET, "/v1/projects/{id}/schedule", "{id}/schedule", None),
        (Method::GET, "/v1/projects/{id}/snippet-size", "{id}/snippet-size", None),
        (Method::GET, "/v1/projects/{id}/revisions", "{id}/revisions", None),
        (Method::GET, "/v1/projects/{id}/revisions/{number}", "{id}/revisions/1", None),
        (
            Method::GET,
            "/v1/projects/{id}/revisions/{range}/diff",
            "{id}/revisions/live..draft/diff",
            None,
        ),
        (
            Method::POST,
            "/v1/projects/{id}/revisions",
            "{id}/revisions",
            Some(json!({"message": "x"})),
        ),
        (Method::GET, "/v1/projects/{id}/campaigns", "{id}/campaigns", None),
        (Method::GET, "/v1/projects/{id}/experiments/{name}", "{id}/experiments/4001", None),
        (Method::GET, "/v1/projects/{id}/variations/{name}", "{id}/variations/5001", None),
        (Method::GET, "/v1/projects/{id}/pages/{name}", "{id}/pages/2001", None),
        (
            Method::POST,
            "/v1/projects/{id}/campaigns/{name}/actions",
            "{id}/campaigns/3001/actions",
            Some(json!({"action": "pause"})),
        ),
        (
            Method::POST,
            "/v1/projects/{id}/campaigns/{name}/duplicate",
            "{id}/campaigns/3001/duplicate",
            Some(json!({})),
        ),
        (
            Method::GET,
            "/v1/projects/{id}/campaigns/{name}/history",
            "{id}/campaigns/3001/history",
            None,
        ),
        (Method::GET, "/v1/projects/{id}/history", "{id}/history", None),
        (Method::GET, "/v1/audit", "/v1/audit", None),
    ]
}

#[tokio::test]
async fn an_answer_has_the_fields_that_it_is_described_with() {
    let (site, application) = shops().await;
    let token = token_with(&site, &application, RoleGrant::OWNER).await;
    let call = Call { site: &site, token: &token };
    let description = site.get("/v1/openapi.json").await.json();
    let member = call.path_of("owner@example.com").await.rsplit('/').next().unwrap().to_owned();
    let ids = [("{member}", member.as_str()), ("{client}", application.client_id.as_str())];

    for (method, path, at, body) in about_a_project().into_iter().chain(about_people()) {
        let at = at.replace("{id}", "/v1/projects/1000");
        let address = ids.iter().fold(at, |at, (name, id)| at.replace(name, id));
        let answer = call.send(method.clone(), &address, Some("*"), body.as_ref()).await;
        assert!(answer.status.is_success(), "{address}: {answer:?}");
        let wrong = objections(&description, (&method, path), &answer);
        assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), answer.body);
    }
}
