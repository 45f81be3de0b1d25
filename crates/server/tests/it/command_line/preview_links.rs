//! `assay preview-link` and `assay preview-links`.

use serde_json::Value;

use super::binary::{Folder, Server, project_with, stderr, stdout};

fn serve(folder: &Folder) -> Server {
    let project = project_with("snippet: {preview: true}");
    folder.write("shop.yaml", &project.replace("status: running", "status: not_started"));
    folder.serve(&["shop.yaml", "--data", "data"])
}

const MAKE: [&str; 5] = ["preview-link", "1000", "https://shop.example/", "--data", "data"];

fn make(folder: &Folder, more: &[&str]) -> std::process::Output {
    folder.assay(&[&MAKE, more].concat())
}

#[tokio::test]
async fn a_link_made_at_the_terminal_works_at_once() {
    let folder = Folder::new();
    let server = serve(&folder);

    let output = make(&folder, &["--variation", "short", "--expires-in", "2d", "--json"]);

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let link: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(link["expires_at"].as_str().unwrap().ends_with('Z'), "{link}");
    let (_, token) = link["url"].as_str().unwrap().split_once("experimentation_preview=").unwrap();
    let preview = reqwest::get(server.url(&format!("/js/1000.js?preview={token}"))).await.unwrap();
    assert!(preview.text().await.unwrap().contains("Ship faster"));
}

#[test]
fn the_link_alone_is_the_output() {
    let folder = Folder::new();
    let _server = serve(&folder);

    let output = make(&folder, &["--variation", "5002"]);

    let start = "https://shop.example/?experimentation_preview=assay_pv.1000.";
    assert!(stdout(&output).starts_with(start), "{}", stdout(&output));
    assert_eq!(stdout(&output).lines().count(), 1);
    assert!(stderr(&output).starts_with("valid until "), "{}", stderr(&output));
}

#[tokio::test]
async fn a_link_is_listed_and_revoked_beside_a_running_server() {
    let folder = Folder::new();
    let server = serve(&folder);
    let made = make(&folder, &["--variation", "short", "--json"]);
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    let (_, token) = made["url"].as_str().unwrap().split_once("experimentation_preview=").unwrap();
    let address = server.url(&format!("/js/1000.js?preview={token}"));
    let opened = async || reqwest::get(&address).await.unwrap().text().await.unwrap();
    assert!(opened().await.contains("Ship faster"));
    let id = made["id"].as_str().unwrap();

    let list = folder.assay(&["preview-links", "list", "1000", "--data", "data"]);
    let revoke = folder.assay(&["preview-links", "revoke", "1000", id, "--data", "data"]);
    let unknown = folder.assay(&["preview-links", "revoke", "1000", "77", "--data", "data"]);

    assert!(stdout(&list).starts_with(&format!("{id}  valid")), "{}", stdout(&list));
    assert_eq!(stdout(&revoke), format!("revoked preview link {id}\n"), "{}", stderr(&revoke));
    assert_eq!(unknown.status.code(), Some(1));
    assert!(opened().await.contains("this link was revoked"));
    let list = folder.assay(&["preview-links", "list", "1000", "--data", "data", "--json"]);
    let list: Value = serde_json::from_slice(&list.stdout).unwrap();
    assert_eq!(list[0]["state"], "revoked");
}

#[test]
fn a_link_that_would_show_nothing_is_not_made() {
    let folder = Folder::new();
    let _server = serve(&folder);

    let typo = make(&folder, &["--variation", "shrot"]);
    let project = folder.assay(&[
        "preview-link",
        "shop",
        "https://shop.example/",
        "--variation",
        "short",
        "--data",
        "data",
    ]);

    assert_eq!((typo.status.code(), project.status.code()), (Some(1), Some(1)));
    assert!(stderr(&typo).contains("did you mean `short`?"), "{}", stderr(&typo));
    assert!(stderr(&project).contains("an id is a decimal number"), "{}", stderr(&project));
}
