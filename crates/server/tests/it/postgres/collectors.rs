//! Processes that answer visitors alone, beside one that does the rest.

use reqwest::Client;
use serde_json::{Value, json};

use super::{database, now};
use crate::command_line::binary::{Folder, Server, project_with, stderr};

/// A batch of one visitor, as the snippet sends it.
async fn send(server: &Server, visitor: &str, variation: &str, user_agent: &str) -> u16 {
    let at = now().as_milliseconds();
    let exposure = json!({
        "id": visitor, "time": at, "type": "exposure", "campaign": "3001", "experiment": "4001", "variation": variation
    });
    let batch = json!({"project": "1000", "visitor": visitor, "events": [exposure]});
    let request = Client::new().post(server.url("/v1/events")).header("content-type", "text/plain");
    let request = request.header("user-agent", user_agent);
    request.body(batch.to_string()).send().await.unwrap().status().as_u16()
}

async fn status(server: &Server, path: &str) -> u16 {
    Client::new().get(server.url(path)).send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn collectors_take_what_another_process_counts_and_show_nothing_else() {
    let address = database("collectors");
    let (folder, collecting) = (Folder::new(), Folder::new());
    let counted = project_with("results: on");
    folder.write("shop.yaml", &counted);
    let whole = folder.serve(&["shop.yaml", "--database", &address]);
    let collector = collecting.serve(&["--role", "collect", "--database", &address]);

    assert_eq!(
        send(&collector, "ada", "5001", "Mozilla/5.0 (X11; Linux x86_64) Chrome/131.0").await,
        202
    );
    assert_eq!(
        send(&collector, "ben", "5002", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0").await,
        202
    );

    for (path, here, there) in [
        ("/js/1000.js", 200, 200),
        ("/readyz", 200, 200),
        ("/sign-in", 404, 200),
        ("/v1/projects", 404, 401),
        ("/oauth2/token", 404, 405),
        ("/.well-known/oauth-authorization-server", 404, 200),
    ] {
        assert_eq!(
            (status(&collector, path).await, status(&whole, path).await),
            (here, there),
            "{path}"
        );
    }
    assert_eq!(collector.ready.get("console_url"), None);
    assert_eq!(collector.ready.get("setup_url"), None);
    let made = folder.assay(&[
        "token",
        "add",
        "warehouse",
        "--service",
        "--role",
        "analyst",
        "--scope",
        "results:read",
        "--json",
        "--database",
        &address,
    ]);
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    let results = Client::new()
        .get(whole.url("/v1/projects/1000/campaigns/hero/results?segment=browser"))
        .bearer_auth(made["token"].as_str().unwrap());
    let results: Value = results.send().await.unwrap().json().await.unwrap();
    let variations = &results["experiments"][0]["results"]["variations"];
    assert_eq!(
        (&variations[0]["visitors"], &variations[1]["visitors"]),
        (&json!(1), &json!(1)),
        "{results}"
    );
    let segments = results["experiments"][0]["results"]["segments"]["segments"].as_array().unwrap();
    let segments: Vec<_> = segments.iter().map(|one| [&one["segment"], &one["visitors"]]).collect();
    assert_eq!(json!(segments), json!([["chrome", [1, 0]], ["firefox", [0, 1]]]));
}

#[test]
fn a_collector_without_a_database_to_share_does_not_start() {
    let folder = Folder::new();

    let output = folder.assay(&["serve", "--role", "collect"]);

    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("hint: name it with --database postgres://"),
        "{}",
        stderr(&output)
    );
    assert!(!folder.path("assay-data").exists());
}
