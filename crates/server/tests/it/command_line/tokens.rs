//! `assay token`.

use serde_json::Value;

use super::binary::{Folder, PROJECT, stderr, stdout};

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
