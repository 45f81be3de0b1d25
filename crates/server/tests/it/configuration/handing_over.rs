//! A project goes from its file to its members.

use app::projects::{Origin, check_document, publish_project, seed_project};
use axum::body::Body;
use axum::http::{Method, StatusCode};
use domain::{NoFiles, Project, Source};
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
async fn what_a_document_would_change_is_told_of_a_project_with_a_file_too() {
    let program = with_file().await;
    let mut document = program.get(&format!("{SHOP}/document")).await.json();
    document["pages"][0]["name"] = json!("Home");
    let (path, body) = (format!("{SHOP}/document"), Body::from(document.to_string()));

    let plan = program.send(Method::PUT, &format!("{path}?dry_run=true"), &[], body).await;

    assert_eq!(plan.status, StatusCode::OK, "{}", plan.body);
    assert_eq!(plan.json()["changes"][0]["kind"], "page");
}
