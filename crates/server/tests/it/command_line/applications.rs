//! `assay application`: what a person at the terminal is told.

use serde_json::{Value, json};

use super::binary::{Folder, stderr, stdout};

const URI: &str = "https://reports.example/callback";

/// A folder with data in it.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("shop.yaml", super::binary::PROJECT);
    drop(folder.serve(&["shop.yaml", "--data", "data"]));
    folder
}

fn json_of(folder: &Folder, arguments: &[&str]) -> Value {
    let output = folder.assay(&[arguments, &["--data", "data", "--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The exit code and what is said about it.
fn refused(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String) {
    let output = folder.assay(&[arguments, &["--data", "data"]].concat());
    assert_eq!(stdout(&output), "");
    (output.status.code(), stderr(&output))
}

fn added(folder: &Folder, name: &str, more: &[&str]) -> String {
    let arguments = [&["application", "add", name, "--redirect-uri", URI][..], more].concat();
    json_of(folder, &arguments)["client_id"].as_str().unwrap().to_owned()
}

#[test]
fn applications_are_listed_by_name_and_shown_without_any_secret() {
    let folder = folder();
    let (tool, reports) = (added(&folder, "Tool", &["--public"]), added(&folder, "Reports", &[]));
    json_of(&folder, &["application", "disable", &tool]);

    let listed = folder.assay(&["application", "list", "--data", "data"]);
    let shown = json_of(&folder, &["application", "show", &reports]);
    let in_words = folder.assay(&["application", "show", &reports, "--data", "data"]);

    assert_eq!(
        stdout(&listed),
        format!("{reports}  confidential  Reports\n{tool}  public        Tool  (disabled)\n")
    );
    let secret = &shown["secrets"][0];
    assert_eq!(
        shown,
        json!({
            "client_id": reports,
            "name": "Reports",
            "type": "confidential",
            "redirect_uris": [URI],
            "scope": null,
            "declared_in_project_file": false,
            "disabled_at": null,
            "secrets": [{
                "id": secret["id"], "note": "", "created_at": secret["created_at"], "last_used_at": null,
            }],
        })
    );
    let in_words = stdout(&in_words);
    assert!(in_words.contains("redirect uri  https://reports.example/callback"), "{in_words}");
    assert!(in_words.contains(", never used"), "{in_words}");
    assert!(!in_words.contains("assay_cs_"));
}

#[test]
fn a_third_secret_has_to_wait_until_one_is_removed() {
    let folder = folder();
    let id = added(&folder, "Reports", &[]);
    json_of(&folder, &["application", "add-secret", &id, "--note", "the second"]);

    let (code, told) = refused(&folder, &["application", "add-secret", &id]);

    assert_eq!(code, Some(1));
    assert!(told.contains("has 2 secrets already") && told.contains("hint:"), "{told}");
}

#[test]
fn commands_on_an_unknown_application_fail_with_a_hint() {
    let folder = folder();
    let id = added(&folder, "Reports", &[]);

    for arguments in [
        &["application", "show", "nobody"][..],
        &["application", "set", "nobody", "--name", "x"],
        &["application", "add-secret", "nobody"],
        &["application", "remove-secret", "nobody", "x"],
        &["application", "disable", "nobody"],
        &["application", "enable", "nobody"],
        &["application", "remove", "nobody"],
    ] {
        let (code, told) = refused(&folder, arguments);
        assert_eq!(code, Some(1), "{arguments:?}");
        assert!(told.contains("application `nobody`: there is no such application"), "{told}");
        assert!(told.contains("hint: `assay application list`"), "{told}");
    }
    let (code, told) = refused(&folder, &["application", "remove-secret", &id, "nothing"]);
    assert_eq!(code, Some(1));
    assert!(told.contains("no such secret") && told.contains("hint:"), "{told}");
    let (code, told) = refused(&folder, &["application", "show", "a b"]);
    assert_eq!(code, Some(1));
    assert!(told.contains("a client id is"), "{told}");
}

#[test]
fn a_public_application_gets_no_secret_later_either() {
    let folder = folder();
    let id = added(&folder, "Tool", &["--public"]);

    let (code, told) = refused(&folder, &["application", "add-secret", &id]);

    assert_eq!(code, Some(1));
    assert!(told.contains("public"), "{told}");
}

#[test]
fn removing_the_only_secret_says_what_that_means() {
    let folder = folder();
    let id = added(&folder, "Reports", &[]);
    let shown = json_of(&folder, &["application", "show", &id]);
    let secret = shown["secrets"][0]["id"].as_str().unwrap();

    let output = folder.assay(&["application", "remove-secret", &id, secret, "--data", "data"]);

    assert_eq!(stdout(&output), format!("removed secret {secret}\n"));
    assert!(stderr(&output).contains("no secret left"), "{}", stderr(&output));
}

#[test]
fn a_change_of_nothing_is_wrong_usage() {
    let folder = folder();
    let id = added(&folder, "Reports", &[]);

    assert_eq!(refused(&folder, &["application", "set", &id]).0, Some(2));
}

#[test]
fn a_second_start_of_the_server_writes_nothing_new_about_declared_applications() {
    let folder = Folder::new();
    let application = "applications: [{client_id: tool, name: Tool, redirect_uris: [\"http://127.0.0.1/callback\"]}]\n";
    folder.write("shop.yaml", &format!("{}{application}", super::binary::PROJECT));
    for _ in 0..2 {
        drop(folder.serve(&["shop.yaml", "--data", "data"]));
    }

    let log = folder.assay(&["audit", "--data", "data"]);

    let log = stdout(&log);
    assert_eq!(log.lines().count(), 2, "{log}");
    assert!(
        log.contains("revision.published       by project_file project 1000 revision 1"),
        "{log}"
    );
    assert!(log.contains("application.added        by project_file tool  Tool"), "{log}");
}

#[test]
fn the_audit_log_is_read_back_as_far_as_asked() {
    let folder = folder();
    added(&folder, "Reports", &[]);

    let lately = folder.assay(&["audit", "--since", "1h", "--data", "data"]);
    let none = folder.assay(&["audit", "--since", "0s", "--data", "data"]);
    let wrong = folder.assay(&["audit", "--since", "yesterday", "--data", "data"]);

    assert!(stdout(&lately).contains("application.added"));
    assert_eq!(stdout(&none), "");
    assert_eq!(wrong.status.code(), Some(2));
}
