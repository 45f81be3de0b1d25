//! A SQLite file that is moved, removed or replaced while a server uses it.

use std::fs;

use reqwest::Client;
use serde_json::json;

use crate::command_line::binary::{Folder, Server, project_with, stderr, stdout};
use crate::command_line::doctor::about;
use crate::postgres::now;

/// The status of an answer, and what it says.
async fn ready(server: &Server) -> (u16, String) {
    let answer = reqwest::get(server.url("/readyz")).await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

async fn status_of_events(server: &Server) -> u16 {
    let exposure = json!({
        "id": "1", "time": now().as_milliseconds(), "type": "exposure",
        "campaign": "3001", "experiment": "4001", "variation": "5001"
    });
    let batch = json!({"project": "1000", "visitor": "ada", "events": [exposure]});
    let request = Client::new().post(server.url("/v1/events")).header("content-type", "text/plain");
    request.body(batch.to_string()).send().await.unwrap().status().as_u16()
}

/// Of a request for tokens, which the audit log counts.
async fn status_of_unknown_client(server: &Server) -> u16 {
    let sent = "grant_type=refresh_token&client_id=nobody";
    let request = Client::new().post(server.url("/oauth2/token"));
    let request = request.header("content-type", "application/x-www-form-urlencoded").body(sent);
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn a_server_takes_nothing_while_its_database_is_away_and_goes_on_when_it_is_back() {
    let folder = Folder::new();
    folder.write("shop.yaml", &project_with("results: on"));
    let server = folder.serve_logging("info", &["shop.yaml", "--data", "data"]);
    let (here, there) = (folder.path("data/assay.db"), folder.path("elsewhere.db"));

    let before = status_of_events(&server).await;
    fs::rename(&here, &there).unwrap();
    let events = status_of_events(&server).await;
    for _ in 0..3 {
        assert_eq!(status_of_unknown_client(&server).await, 401);
    }
    let (away, told) = ready(&server).await;
    let doctor = ["doctor", "--data", "data", "--listen", server.address(), "--json"];
    let looked = folder.assay(&doctor);
    let started = folder.assay(&["serve", "--data", "data", "--listen", "127.0.0.1:0"]);
    fs::rename(&there, &here).unwrap();
    while ready(&server).await.0 != 200 {}
    let after = status_of_events(&server).await;
    let log = folder.log_of(server);

    assert_eq!((before, events, away, after), (202, 503, 503, 202));
    assert!(told.contains(r#""code":"database_file_gone""#), "{told}");
    let [(state, told)] = &*about(&looked, "database") else { panic!("{}", stdout(&looked)) };
    assert!(state == "error" && told.starts_with("`data/assay.db` is gone"), "{told}");
    let refused = stderr(&started);
    assert!(refused.contains("the database `data/assay.db` is gone"), "{refused}");
    let is_complaint = |line: &&str| line.contains("ERROR") || line.contains("WARN");
    let complaints: Vec<&str> = log.lines().filter(is_complaint).collect();
    let [error] = complaints[..] else { panic!("{log}") };
    assert!(error.contains("`data/assay.db` was moved or removed"), "{error}");
    assert!(error.contains("hint: move the file itself back"), "{error}");
    let (_, refused) =
        log.split_once("is back in its place; operations refused in between: ").unwrap();
    assert!(!refused.starts_with('0'), "{log}");
}

#[tokio::test]
async fn a_file_in_the_place_of_a_database_that_is_away_is_told_as_well() {
    let folder = Folder::new();
    folder.write("shop.yaml", &project_with("results: on"));
    let server = folder.serve_logging("info", &["shop.yaml", "--data", "data"]);
    let (here, there) = (folder.path("data/assay.db"), folder.path("elsewhere.db"));

    fs::rename(&here, &there).unwrap();
    let away = status_of_events(&server).await;
    fs::copy(&there, &here).unwrap();
    let replaced = [status_of_events(&server).await, status_of_events(&server).await];
    fs::rename(&there, &here).unwrap();
    while ready(&server).await.0 != 200 {}
    let log = folder.log_of(server);

    assert_eq!((away, replaced), (503, [503, 503]));
    let errors: Vec<&str> = log.lines().filter(|line| line.contains("ERROR")).collect();
    let [moved, another] = errors[..] else { panic!("{log}") };
    assert!(moved.contains("`data/assay.db` was moved or removed"), "{moved}");
    assert!(another.contains("another file has taken the place of the database"), "{another}");
}
