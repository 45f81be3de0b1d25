//! A project goes from its file to its members.

use app::documents::{check_document, check_written};
use app::projects::{Origin, publish_project, seed_project, with_live_ids};
use axum::body::Body;
use axum::http::{Method, StatusCode};
use domain::{NoFiles, Project, Severity, Source};
use serde_json::json;

use super::{Program, SHOP};

fn from_file() -> Project {
    let text =
        "{version: 1, project: {id: \"1000\", key: shop}, pages: [{id: \"2001\", key: home}]}";
    check_document(&Source { name: "shop.yaml", text, files: &NoFiles }).unwrap().project
}

async fn with_file() -> Program {
    let program = Program::start().await;
    publish_project(&program.site.app, from_file(), Origin::ProjectFile).await.unwrap();
    program
}

#[tokio::test]
async fn a_seed_hands_a_project_over_that_a_file_managed() {
    let program = with_file().await;
    let refused = program.patch(&format!("{SHOP}/pages/2001"), json!({"name": "Home"})).await;
    assert_eq!(refused.json()["code"], "managed_by_file");

    seed_project(&program.site.app, from_file(), "seed").await.unwrap();

    let changed = program.patch(&format!("{SHOP}/pages/2001"), json!({"name": "Home"})).await;
    assert_eq!(changed.status, StatusCode::OK, "{}", changed.body);
    assert!(seed_project(&program.site.app, from_file(), "seed").await.unwrap().is_none());
    assert_eq!(program.get(&format!("{SHOP}/pages/2001")).await.json()["name"], "Home");
}

#[tokio::test]
async fn a_file_replaces_nothing_that_members_have_not_published() {
    let program = Program::with_shop().await;
    let app = &program.site.app;

    let refused = publish_project(app, from_file(), Origin::ProjectFile).await.unwrap_err();

    assert!(refused.to_string().contains("members have changed project 1000"), "{refused}");
    assert!(program.get(&format!("{SHOP}/pages/2001")).await.json()["managed_by"].is_null());
    program.publish("mine").await;
    publish_project(app, from_file(), Origin::ProjectFile).await.unwrap();
    assert_eq!(program.get(SHOP).await.json()["managed_by"], "file");
}

#[tokio::test]
async fn a_file_that_changes_the_draw_of_an_experiment_that_has_begun_is_told_so() {
    let program = Program::start().await;
    let project = |weights: [u16; 2]| {
        let [first, second] = weights;
        let text = format!(
            "{{version: 1, project: {{id: 1000, key: shop}}, campaigns: [{{key: hero, type: ab_test, status: running, experiments: [\
             {{key: hero, variations: [{{key: a, weight: {first}}}, {{key: b, weight: {second}}}]}}]}}]}}"
        );
        check_document(&Source { name: "shop.yaml", text: &text, files: &NoFiles }).unwrap().project
    };
    let app = &program.site.app;

    let first = publish_project(app, project([5000, 5000]), Origin::ProjectFile).await.unwrap();
    let second = publish_project(app, project([1000, 9000]), Origin::ProjectFile).await.unwrap();

    assert_eq!((first.breaking.len(), second.breaking.len(), second.revision), (0, 2, 2));
    assert_eq!(second.breaking[0].severity, Severity::Warning);
}

#[tokio::test]
async fn what_a_document_would_change_is_told_of_a_project_with_a_file_too() {
    let program = with_file().await;
    let mut document = program.get(&format!("{SHOP}/document")).await.json();
    document["pages"][0]["name"] = json!("Home");
    let (path, body) = (format!("{SHOP}/document"), Body::from(document.to_string()));

    let plan = program.send(Method::PUT, &format!("{path}?dry_run=true"), &[], body).await;

    assert_eq!(plan.status, StatusCode::OK, "{}", plan.body);
    assert_eq!(plan.json()["changes"][0]["kind"], "page");
}

#[tokio::test]
async fn what_is_live_keeps_the_ids_that_a_file_leaves_out() {
    let program = Program::start().await;
    let app = &program.site.app;
    let campaign = |key: &str| {
        format!(
            "{{key: {key}, type: ab_test, status: running, experiments: [{{key: test, variations: [{{key: a, weight: 10000}}]}}]}}"
        )
    };
    let file = |campaigns: &str| {
        let text =
            format!("{{version: 1, project: {{id: 1000, key: shop}}, campaigns: [{campaigns}]}}");
        check_written(&Source { name: "shop.yaml", text: &text, files: &NoFiles }).unwrap()
    };
    let (first, _) = file(&campaign("two"));
    publish_project(app, first.project.clone(), Origin::ProjectFile).await.unwrap();

    let (next, written) = file(&format!("{}, {}", campaign("one"), campaign("two")));
    let next = with_live_ids(app, next.project, written).await.unwrap();

    assert_eq!(next.campaigns[1], first.project.campaigns[0]);
    let published = publish_project(app, next, Origin::ProjectFile).await.unwrap();
    assert_eq!(published.breaking, []);
}
