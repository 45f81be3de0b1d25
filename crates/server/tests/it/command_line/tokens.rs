//! `assay token`.

use serde_json::Value;

use super::binary::{Folder, PROJECT, stderr, stdout};

const CHECKLIST: &str = include_str!("../../../../../docs/guides/production-checklist.md");

const OAUTH: &str = include_str!("../../../../../docs/oauth.md");

#[tokio::test]
async fn a_token_made_at_the_terminal_opens_at_once_until_it_is_removed() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let server = folder.serve(&["shop.yaml", "--data", "data"]);
    let add = ["token", "add", "deploy", "--scope", "config:read,publish", "--service"];
    let role = ["--role", "publisher", "--project", "1000", "--expires", "2d", "--data", "data"];
    let me = async |token: &str| {
        let request = reqwest::Client::new().get(server.url("/v1/projects/1000"));
        request.bearer_auth(token).send().await.unwrap().status().as_u16()
    };

    let output = folder.assay(&[&add[..], &role, &["--json"]].concat());

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let made: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (token, id) = (made["token"].as_str().unwrap(), made["id"].as_str().unwrap());
    assert_eq!(me(token).await, 200);
    let listed = folder.assay(&["token", "list", "--data", "data"]);
    assert!(stdout(&listed).contains("service   deploy  for deploy"), "{}", stdout(&listed));
    assert!(!stdout(&listed).contains(token));

    let removed = folder.assay(&["token", "remove", id, "--data", "data"]);

    assert_eq!(removed.status.code(), Some(0), "{}", stderr(&removed));
    let again = folder.assay(&["token", "remove", id, "--data", "data"]);
    assert_eq!(again.status.code(), Some(1), "{}", stderr(&again));
}

#[test]
fn the_end_of_everything_tells_how_many_tokens_and_services_are_removed() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    let add = ["token", "add", "deploy", "--scope", "config:read", "--service", "--role", "viewer"];
    assert_eq!(folder.assay(&[&add[..], &["--data", "data"]].concat()).status.code(), Some(0));
    folder.assay(&["backup", "a.backup", "--data", "data"]);
    let told = "removed 1 API tokens and 1 services\n";

    let restored = folder.assay(&["restore", "a.backup", "--data", "restored"]);
    let again = folder.assay(&["restore", "a.backup", "--data", "again", "--json"]);
    let ended = folder.assay(&["tokens", "end-all", "--data", "data"]);
    let rest = folder.assay(&["tokens", "end-all", "--data", "data", "--json"]);

    for output in [&restored, &ended] {
        assert!(stdout(output).ends_with(told), "{} {}", stdout(output), stderr(output));
    }
    let json = |output: &std::process::Output| -> Value {
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let numbers = |ended: &Value| (ended["api_tokens"].clone(), ended["services"].clone());
    assert_eq!(numbers(&json(&again)["ended"]), (1.into(), 1.into()));
    assert_eq!(numbers(&json(&rest)), (0.into(), 0.into()));
}

#[test]
fn a_token_that_would_live_too_long_is_told_the_limit_in_days() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    let add = ["token", "add", "deploy", "--scope", "config:read", "--service", "--role", "viewer"];

    let refused = folder.assay(&[&add[..], &["--expires", "500d", "--data", "data"]].concat());

    assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("31622400 seconds (366 days)"), "{}", stderr(&refused));
}

#[test]
fn a_token_made_as_documented_applies_and_publishes() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let server = folder.serve(&["--seed", "shop.yaml", "--data", "data"]);
    folder.write("shop.yaml", &PROJECT.replace("Ship faster", "Ship sooner"));
    let help = stdout(&folder.assay(&["token", "add", "--help"]));
    let example = help.lines().find(|line| line.contains("assay token add deploy")).unwrap().trim();
    for document in [CHECKLIST, OAUTH] {
        assert!(document.contains(&format!("\n{example}\n")), "not in each document: {example}");
    }

    let add: Vec<&str> = example.split(' ').skip(1).chain(["--data", "data", "--json"]).collect();
    let made: Value = serde_json::from_slice(&folder.assay(&add).stdout).unwrap();
    let url = server.url("");
    let apply = ["apply", "shop.yaml", "--publish", "--yes", "--server", &url];
    let applied = folder.assay_with("ASSAY_TOKEN", made["token"].as_str().unwrap(), &apply);

    assert_eq!(applied.status.code(), Some(0), "{}", stderr(&applied));
    assert!(stdout(&applied).ends_with("revision 2 is live\n"), "{}", stdout(&applied));
}
