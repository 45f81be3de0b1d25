//! `assay member add` and `assay application add`.

use serde_json::Value;

use super::binary::{Folder, PROJECT, stderr, stdout};

#[test]
fn member_is_added_while_a_server_runs() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let _server = folder.serve(&["shop.yaml", "--data", "data"]);

    let output = folder.assay(&["member", "add", " ada@example.com ", "--data", "data", "--json"]);

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let member: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(member["email"], "ada@example.com");
    assert!(member["password"].as_str().unwrap().len() >= 16);
}

#[test]
fn member_cannot_be_added_twice() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    folder.assay(&["member", "add", "ada@example.com", "--data", "data"]);

    let again = folder.assay(&["member", "add", "ada@example.com", "--data", "data"]);

    assert_eq!(again.status.code(), Some(1), "{}", stderr(&again));
    assert_eq!(stdout(&again), "");
}

#[test]
fn mistyped_place_makes_no_database() {
    let folder = Folder::new();

    let output = folder.assay(&["member", "add", "ada@example.com", "--data", "dtaa"]);

    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).starts_with("error: no database at `dtaa/assay.db`"),
        "{}",
        stderr(&output)
    );
    assert!(!folder.path("dtaa").exists());
}

#[test]
fn application_gets_its_credentials_once() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    let uri = "https://reports.example/callback";

    let arguments =
        ["application", "add", "Reports", "--redirect-uri", uri, "--data", "data", "--json"];
    let output = folder.assay(&arguments);

    let application: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(application["client_secret"].is_string() && application["client_id"].is_string());
    assert_eq!(application["redirect_uris"], serde_json::json!([uri]));
}

#[test]
fn public_application_gets_no_secret() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    let uri = "http://127.0.0.1/callback";

    let arguments = [
        "application",
        "add",
        "Tool",
        "--redirect-uri",
        uri,
        "--public",
        "--data",
        "data",
        "--json",
    ];
    let output = folder.assay(&arguments);

    let application: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(application["client_secret"].is_null(), "{application}");
}

#[test]
fn unsafe_redirect_uri_is_refused_with_the_reason() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    let uri = "http://reports.example/callback";

    let output =
        folder.assay(&["application", "add", "Reports", "--redirect-uri", uri, "--data", "data"]);

    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("https"), "{}", stderr(&output));
}
