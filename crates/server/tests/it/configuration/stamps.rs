//! Each resource says when it was created and last changed, and by whom, and its history tells what changed.

use app::documents::check_document;
use app::projects::{Origin, publish_project};
use axum::body::Body;
use axum::http::{Method, StatusCode};
use domain::{NoFiles, Source};
use serde_json::{Value, json};

use super::documents::put;
use super::{Program, SHOP};

/// When a resource was created and last changed, and by whom.
async fn stamp(program: &Program, path: &str) -> Value {
    let read = program.get(&format!("{SHOP}{path}")).await;
    assert_eq!(read.status, StatusCode::OK, "{}", read.body);
    stamp_in(&read.json())
}

fn stamp_in(resource: &Value) -> Value {
    let stamp = ["created_at", "updated_at", "updated_by"];
    stamp.into_iter().map(|field| (field.to_owned(), resource[field].clone())).collect()
}

const HERO: &str = "/campaigns/3001";

#[tokio::test]
async fn a_resource_says_when_it_was_created_and_last_changed_and_by_whom() {
    let program = Program::with_hero().await;
    let created = stamp(&program, HERO).await;
    assert_eq!(created["created_at"], created["updated_at"]);
    assert_eq!(created["updated_by"], json!(program.member.email));
    let page = stamp(&program, "/pages/2001").await;
    program.site.advance_seconds(60);

    let changed = program.patch(&format!("{SHOP}{HERO}"), json!({"name": "New"})).await;

    let now = stamp_in(&changed.json());
    assert_eq!(now, stamp(&program, HERO).await);
    assert_eq!(now["created_at"], created["created_at"]);
    assert!(now["updated_at"].as_str() > created["updated_at"].as_str(), "{now}");
    assert_eq!(stamp(&program, "/pages/2001").await, page, "nothing changed there");
    let variation = &changed.json()["experiments"][0]["variations"][0]["id"];
    let variation = format!("/variations/{}", variation.as_str().unwrap());
    assert_eq!(stamp(&program, &variation).await["updated_at"], created["updated_at"]);
    assert_eq!(stamp(&program, "").await["updated_at"], now["updated_at"]);
}

#[tokio::test]
async fn what_holds_a_changed_resource_changes_with_it() {
    let program = Program::with_hero().await;
    let hero = program.get(&format!("{SHOP}{HERO}")).await.json();
    let experiment = &hero["experiments"][0];
    let paths = [&experiment["variations"][0], &experiment["variations"][1]]
        .map(|variation| format!("/variations/{}", variation["id"].as_str().unwrap()));
    let before = stamp(&program, HERO).await;
    program.site.advance_seconds(60);

    program.patch(&format!("{SHOP}{}", paths[1]), json!({"name": "Short"})).await;

    let after = stamp(&program, &paths[1]).await;
    assert!(after["updated_at"].as_str() > before["updated_at"].as_str());
    let experiment = format!("/experiments/{}", experiment["id"].as_str().unwrap());
    for path in [HERO, &experiment] {
        assert_eq!(stamp(&program, path).await["updated_at"], after["updated_at"], "{path}");
    }
    assert_eq!(stamp(&program, &paths[0]).await["updated_at"], before["updated_at"]);
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
async fn what_was_read_is_sent_back_as_it_is_with_one_field_changed() {
    let program = Program::with_hero().await;
    program.created("attributes", json!({"key": "plan"})).await;
    for collection in ["attributes", "pages", "campaigns", "experiments", "variations"] {
        let path = format!("{SHOP}/{collection}");
        let mut read = program.get(&path).await.json()[0].take();
        read["name"] = json!("Renamed");
        let path = format!("{path}/{}", read["id"].as_str().unwrap());

        let changed = program.patch(&path, read.clone()).await;

        assert_eq!(changed.status, StatusCode::OK, "{}", changed.body);
        assert_eq!(changed.json()["name"], "Renamed");
        let late = program.patch_if(&path, "*", read).await;
        assert_eq!(late.status, StatusCode::OK, "an old stamp is ignored: {}", late.body);
    }
    let mut project = program.get(SHOP).await.json();
    project["name"] = json!("Renamed");
    assert_eq!(program.patch(SHOP, project).await.status, StatusCode::OK);
    let mut page = program.get(&format!("{SHOP}/pages/2001")).await.json();
    (page["id"], page["key"]) = (json!("2002"), json!("copy"));
    program.created("pages", page).await;
}

#[tokio::test]
async fn a_document_changes_the_stamps_of_what_it_changes() {
    let program = Program::with_hero().await;
    let (page, hero) = (stamp(&program, "/pages/2001").await, stamp(&program, HERO).await);
    program.site.advance_seconds(60);
    let path = format!("{SHOP}/document");
    let mut document = program.get(&path).await.json();
    assert!(!document.to_string().contains("updated_at"), "{document}");
    document["pages"][0]["name"] = json!("Home");
    let tag = program.get(&path).await.header("etag").to_owned();

    let replaced = put(&program, &path, ("if-match", &tag), &document).await;

    assert_eq!(replaced.status, StatusCode::OK, "{}", replaced.body);
    let changed = stamp(&program, "/pages/2001").await;
    assert_eq!(changed["created_at"], page["created_at"]);
    assert_ne!(changed["updated_at"], page["updated_at"]);
    assert_eq!(stamp(&program, HERO).await, hero);
}

#[tokio::test]
async fn a_project_file_changes_the_stamps_of_what_it_changes() {
    let program = Program::start().await;
    let publish = async |name: &str| {
        let text = format!(
            "{{version: 1, project: {{id: 1000, key: shop}}, pages: [{{id: 2001, key: home, name: {name}}}, {{id: 2002, key: cart}}]}}"
        );
        let source = Source { name: "shop.yaml", text: &text, files: &NoFiles };
        let project = check_document(&source).unwrap().project;
        publish_project(&program.site.app, project, Origin::ProjectFile).await.unwrap();
    };
    publish("a").await;
    let (home, cart) = (stamp(&program, "/pages/2001").await, stamp(&program, "/pages/2002").await);
    assert_eq!(home["updated_by"], "project file");
    program.site.advance_seconds(60);

    publish("b").await;

    assert_eq!(stamp(&program, "/pages/2002").await, cart);
    let changed = stamp(&program, "/pages/2001").await;
    assert_eq!(changed["created_at"], home["created_at"]);
    assert_ne!(changed["updated_at"], home["updated_at"]);
}

#[tokio::test]
async fn stamps_survive_a_restart_and_actions_change_those_of_their_campaign() {
    let mut program = Program::with_hero().await;
    let page = stamp(&program, "/pages/2001").await;
    program.site.advance_seconds(60);
    program.act("start").await;
    let started = stamp(&program, HERO).await;
    assert_ne!(started["created_at"], started["updated_at"]);

    program.site = program.site.restarted();

    assert_eq!(stamp(&program, HERO).await, started);
    assert_eq!(stamp(&program, "/pages/2001").await, page);
}

#[tokio::test]
async fn what_is_live_says_since_when_it_is_like_that() {
    let program = Program::with_hero().await;
    program.act("start").await;
    let live = format!("{HERO}?state=live");
    let started = stamp(&program, &live).await;
    assert_eq!(started, stamp(&program, HERO).await);
    program.site.advance_seconds(60);

    program.patch(&format!("{SHOP}{HERO}"), json!({"name": "Edited"})).await;

    assert_eq!(stamp(&program, &live).await, started);
    assert_ne!(stamp(&program, HERO).await, started);
}

#[tokio::test]
async fn the_history_of_a_resource_tells_who_changed_what_and_when() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}{HERO}");
    program.site.advance_seconds(60);
    program.patch(&path, json!({"name": "New"})).await;
    program.site.advance_seconds(60);
    program.act("start").await;

    let history = program.get(&format!("{path}/history")).await;

    assert_eq!((history.status, history.header("x-total-count")), (StatusCode::OK, "3"));
    let told = history.json();
    let kinds: Vec<&Value> = told.as_array().unwrap().iter().map(|one| &one["change"]).collect();
    assert_eq!(kinds, ["changed", "changed", "created"]);
    assert_eq!(
        told[0]["fields"][0],
        json!({"pointer": "/status", "before": "not_started", "after": "running"})
    );
    assert_eq!(told[1]["fields"], json!([{"pointer": "/name", "before": "Hero", "after": "New"}]));
    assert_eq!(told[1]["by"], json!(program.member.email));
    assert_eq!(told[0]["at"], stamp(&program, HERO).await["updated_at"]);
    let second = program.get(&format!("{SHOP}/campaigns/key:hero/history?per_page=1&page=2")).await;
    assert_eq!(second.json()[0], told[1]);
    assert!(
        second.header("link").contains("campaigns/key:hero/history?page=3"),
        "{}",
        second.header("link")
    );
    let page = program.get(&format!("{SHOP}/pages/2001/history")).await.json();
    assert_eq!(page.as_array().unwrap().len(), 1, "{page}");
    for path in ["pages/9", "pages/key:nope", "pages/3001", "nope/3001"] {
        let answer = program.get(&format!("{SHOP}/{path}/history")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn who_has_the_document_or_a_list_already_is_told_so() {
    let program = Program::with_hero().await;
    program.publish("first").await;
    for path in
        ["/document", "/campaigns", "/revisions", "/campaigns/3001/history", "/pages?per_page=1"]
    {
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
