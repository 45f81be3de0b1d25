//! Each answer says when its resource was created and last changed, and by whom, and its history tells what changed.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Program, SHOP};

/// When a resource was created and last changed, and by whom.
fn stamp_in(resource: &Value) -> Value {
    let stamp = ["created_at", "updated_at", "updated_by"];
    stamp.into_iter().map(|field| (field.to_owned(), resource[field].clone())).collect()
}

#[tokio::test]
async fn lists_say_what_the_resource_says_and_the_tag_is_that_of_the_answer() {
    let program = Program::with_hero().await;
    program.created("attributes", json!({"key": "plan"})).await;
    let collections = ["attributes", "pages", "campaigns", "experiments", "variations"];
    for collection in collections {
        let list = program.get(&format!("{SHOP}/{collection}")).await.json();
        for listed in list.as_array().unwrap() {
            let path = format!("{SHOP}/{collection}/{}", listed["id"].as_str().unwrap());
            let one = program.get(&path).await;
            assert_eq!(
                (&one.json(), one.header("etag")),
                (listed, listed["etag"].as_str().unwrap())
            );
        }
    }
    let projects = program.get("/v1/projects").await.json();
    let project = program.get(SHOP).await;
    assert_eq!(projects[0]["etag"], project.header("etag"));
    assert_eq!(stamp_in(&projects[0]), stamp_in(&project.json()));
    let acted = program.act("start").await;
    assert_eq!(acted.json()["etag"], acted.header("etag"));
    assert_ne!(program.get(SHOP).await.header("etag"), project.header("etag"));
}

#[tokio::test]
async fn the_history_of_a_resource_comes_page_by_page() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/campaigns/3001");
    program.site.advance_seconds(60);
    program.patch(&path, json!({"name": "New"})).await;

    let told = program.get(&format!("{SHOP}/campaigns/key:hero/history?per_page=1")).await;

    assert_eq!((told.status, told.header("x-total-count")), (StatusCode::OK, "2"));
    assert!(
        told.header("link").contains("campaigns/key:hero/history?page=2"),
        "{}",
        told.header("link")
    );
    let change = json!({
        "at": "2027-01-15T08:01:00Z", "by": program.member.email, "change": "changed",
        "fields": [{"pointer": "/name", "before": "Hero", "after": "New"}], "truncated": false,
    });
    assert_eq!(told.json(), json!([change]));
    for path in ["pages/9", "nope/3001"] {
        let answer = program.get(&format!("{SHOP}/{path}/history")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn the_history_of_a_project_tells_of_changes_and_publications() {
    let program = Program::with_hero().await;
    program.site.advance_seconds(60);
    program.patch(&format!("{SHOP}/campaigns/3001"), json!({"name": "New"})).await;
    program.publish("Now").await;
    let path = format!("{SHOP}/history");

    let told = program.get(&format!("{path}?per_page=2")).await;
    let pages = program.get(&format!("{path}?resource=page")).await;
    let narrowed =
        program.get(&format!("{path}?resource=page&until=2027-01-15T08:01:00Z&per_page=1")).await;

    assert_eq!(told.status, StatusCode::OK);
    assert!(
        told.header("link").contains("/v1/projects/1000/history?page=2"),
        "{}",
        told.header("link")
    );
    let published = json!({
        "at": "2027-01-15T08:01:00Z", "by": program.member.email, "change": "published", "fields": [],
        "truncated": false, "resource": {"kind": "revision", "id": "1"}, "message": "Now", "restored_from": null,
    });
    let changed = json!({
        "at": "2027-01-15T08:01:00Z", "by": program.member.email, "change": "changed",
        "fields": [{"pointer": "/name", "before": "Hero", "after": "New"}], "truncated": false,
        "resource": {"kind": "campaign", "id": "3001"}, "message": "", "restored_from": null,
    });
    assert_eq!(told.json(), json!([published, changed]));
    let about = |answer: &Value| {
        answer
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["resource"]["kind"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(about(&pages.json()), ["page"]);
    assert_eq!(about(&narrowed.json()), ["page"]);
    for (query, status) in [
        ("resource=nope", StatusCode::BAD_REQUEST),
        ("since=today", StatusCode::BAD_REQUEST),
        ("resources=page", StatusCode::BAD_REQUEST),
        ("by=nobody%40example.com", StatusCode::OK),
    ] {
        let answer = program.get(&format!("{path}?{query}")).await;
        assert_eq!(answer.status, status, "{query} {}", &*answer.body);
    }
    let nothing = program.get(&format!("{path}?by=nobody%40example.com")).await;
    assert_eq!((nothing.json(), nothing.header("x-total-count")), (json!([]), "0"));
}

#[tokio::test]
async fn a_client_with_the_present_document_or_list_gets_304() {
    let program = Program::with_hero().await;
    program.publish("first").await;
    for path in [
        "/document",
        "/campaigns",
        "/revisions",
        "/campaigns/3001/history",
        "/history",
        "/pages?per_page=1",
    ] {
        let path = format!("{SHOP}{path}");
        let tag = program.get(&path).await.header("etag").to_owned();
        let known = [("if-none-match", &*tag)];

        let again = program.send(Method::GET, &path, &known, Body::empty()).await;

        assert_eq!((again.status, &*again.body), (StatusCode::NOT_MODIFIED, ""), "{path}");
        assert_eq!(again.header("etag"), tag);
    }
    let tag = program.get(&format!("{SHOP}/document")).await.header("etag").to_owned();
    program.patch(&format!("{SHOP}/pages/2001"), json!({"name": "Home"})).await;
    let known = [("if-none-match", &*tag)];
    let read = program.send(Method::GET, &format!("{SHOP}/document"), &known, Body::empty()).await;
    assert_eq!(read.status, StatusCode::OK);
}
