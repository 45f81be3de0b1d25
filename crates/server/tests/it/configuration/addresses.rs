//! Where projects are, in lists and by their keys, and what is told of those that are not published.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Program, SHOP};

#[tokio::test]
async fn a_project_is_named_by_its_key_wherever_its_id_is() {
    let program = Program::with_hero().await;
    assert_eq!(program.act("start").await.status, StatusCode::OK);
    let by_key = "/v1/projects/key:shop";

    for path in [
        "",
        "/campaigns",
        "/campaigns/3001",
        "/campaigns/key:hero",
        "/document",
        "/revisions",
        "/revisions/1",
        "/revisions/1/document",
        "/revisions/live..draft/diff",
    ] {
        let (one, other) = (
            program.get(&format!("{by_key}{path}")).await,
            program.get(&format!("{SHOP}{path}")).await,
        );
        assert_eq!((one.status, &one.body), (StatusCode::OK, &other.body), "{path}");
    }
    let visit = json!({"url": "https://shop.example/", "visitor_id": "v"});
    for (path, body) in [
        ("/campaigns/3001/actions", json!({"action": "pause"})),
        ("/attributes", json!({"key": "plan"})),
        ("/decide", visit),
        ("/actions", json!({"action": "archive"})),
        ("/actions", json!({"action": "restore"})),
    ] {
        let answer = program.post(&format!("{by_key}{path}"), body).await;
        assert!(answer.status.is_success(), "{path}: {}", answer.body);
    }
    let renamed = program.patch(by_key, json!({"key": "store"})).await;
    assert_eq!((renamed.status, &renamed.json()["id"]), (StatusCode::OK, &json!("1000")));
    assert_eq!(program.get(by_key).await.status, StatusCode::NOT_FOUND);
    assert_eq!(program.get("/v1/projects/key:store").await.status, StatusCode::OK);
    for name in ["key:", "key:nope", "key:%00", "key:key:store", "KEY:store"] {
        assert_eq!(
            program.get(&format!("/v1/projects/{name}")).await.status,
            StatusCode::NOT_FOUND,
            "{name}"
        );
    }
}

#[tokio::test]
async fn no_two_projects_have_one_key() {
    let program = Program::with_shop().await;
    let blog = json!({"id": "7", "key": "blog"});
    assert_eq!(program.post("/v1/projects", blog).await.status, StatusCode::CREATED);

    let again = program.post("/v1/projects", json!({"id": "8", "key": "shop"})).await;
    let renamed = program.patch("/v1/projects/7", json!({"key": "shop"})).await;
    let document = json!({"version": 1, "project": {"id": "8", "key": "shop"}});
    let put = super::documents::put(
        &program,
        "/v1/projects/8/document",
        ("if-none-match", "*"),
        &document,
    )
    .await;

    for answer in [&again, &renamed, &put] {
        assert_eq!(
            (answer.status, &answer.json()["code"]),
            (StatusCode::CONFLICT, &json!("taken")),
            "{}",
            answer.body
        );
    }
}

#[tokio::test]
async fn every_list_tells_how_many_there_are_and_where_the_last_page_is() {
    let program = Program::with_hero().await;
    for id in ["7", "8"] {
        let blog = json!({"id": id, "key": format!("blog{id}")});
        assert_eq!(program.post("/v1/projects", blog).await.status, StatusCode::CREATED);
    }
    assert_eq!(program.publish("").await.status, StatusCode::CREATED);
    assert_eq!(
        program.post("/v1/projects/7/actions", json!({"action": "archive"})).await.status,
        StatusCode::OK
    );
    let entries = program.get("/v1/audit?per_page=100").await.json().as_array().unwrap().len();

    for (path, total) in [
        ("/v1/projects", 2),
        ("/v1/projects?archived=true", 1),
        ("/v1/projects?archived=any", 3),
        ("/v1/projects?archived=false", 2),
        ("/v1/projects/1000/revisions", 1),
        ("/v1/projects/1000/variations", 2),
        ("/v1/projects/1000/groups", 0),
        ("/v1/members", 1),
        ("/v1/applications", 1),
        ("/v1/audit", entries),
    ] {
        let separator = if path.contains('?') { '&' } else { '?' };
        let answer = program.get(&format!("{path}{separator}per_page=1")).await;
        assert_eq!(
            (answer.status, answer.header("x-total-count")),
            (StatusCode::OK, &*total.to_string()),
            "{path}"
        );
        let filter = path.split_once('?').map(|(_, filter)| format!("&{filter}"));
        let filter = filter.unwrap_or_default();
        let last = format!("?page={}&per_page=1{filter}>; rel=\"last\"", total.max(1));
        assert!(answer.header("link").ends_with(&last), "{path}: {}", answer.header("link"));
        assert_eq!(answer.header("link").contains("rel=\"next\""), total > 1, "{path}");
        let head = program.send(Method::HEAD, path, &[], Body::empty()).await;
        assert_eq!(head.header("x-total-count"), total.to_string(), "{path}");
    }
    assert_eq!(program.get("/v1/projects?archived=maybe").await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn an_unpublished_project_is_told_apart_from_a_missing_one() {
    let program = Program::with_hero().await;
    let visit = json!({"url": "https://shop.example/", "visitor_id": "v"});
    let link = json!({"url": "https://shop.example/", "variations": ["short"]});
    let edit = json!({"url": "https://shop.example/", "variation": "short"});

    for (path, body) in
        [("decide", &visit), ("preview-links", &link), ("visual-editor-links", &edit)]
    {
        let unpublished = program.post(&format!("{SHOP}/{path}"), body.clone()).await;
        assert_eq!(
            (unpublished.status, &unpublished.json()["code"]),
            (StatusCode::CONFLICT, &json!("not_published")),
            "{path}"
        );
        let unknown = program.post(&format!("/v1/projects/77/{path}"), body.clone()).await;
        assert_eq!(unknown.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn every_token_tells_whose_it_is() {
    let program = Program::start().await;
    let narrow = program.token_for("config:read").await;

    let told = program.site.get_as("/v1/me", &narrow).await;
    let unknown = program.site.get_as("/v1/me", "assay_at_x").await;

    assert_eq!(told.status, StatusCode::OK, "{}", told.body);
    let told = told.json();
    assert_eq!(
        (&told["email"], &told["scopes"]),
        (&json!("ann@example.com"), &json!(["config:read"]))
    );
    let owner = json!([{"role": "owner", "project": null, "code": true}]);
    assert_eq!(told["grants"], owner);
    assert!(told["client_id"].is_string() && told["id"].is_string());
    assert_eq!(unknown.status, StatusCode::UNAUTHORIZED);
    let again: Value = program.site.get_as("/v1/me", &narrow).await.json();
    assert_eq!(again, told);
}
