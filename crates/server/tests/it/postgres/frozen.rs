//! A database that stands still: its connections are there, and nothing answers.

use std::time::{Duration, Instant};

use reqwest::{Client, Response};
use serde_json::Value;

use crate::command_line::binary::{Folder, Server};
use crate::crash::cluster::Cluster;

/// Requests that wait for the database take five seconds and more.
const SOON: Duration = Duration::from_secs(3);

async fn get(server: &Server, path: &str) -> Response {
    Client::new().get(server.url(path)).send().await.unwrap()
}

/// A server on a database with a live project, which no page has asked it for.
fn restarted(folder: &Folder, cluster: &Cluster) -> Server {
    let database = cluster.database("frozen");
    drop(folder.serve(&["--demo", "--database", &database]));
    folder.serve(&["--database", &database])
}

#[tokio::test]
async fn pages_get_in_time_what_a_server_found_live_when_it_started() {
    let (folder, files) = (Folder::new(), Folder::new());
    let cluster = Cluster::start(&files);
    let server = restarted(&folder, &cluster);
    let _frozen = cluster.freeze();

    let since = Instant::now();
    let mut longest = Duration::ZERO;
    while since.elapsed() < Duration::from_secs(2) {
        let asked = Instant::now();
        assert_eq!(get(&server, "/js/1000.js").await.status(), 200);
        longest = longest.max(asked.elapsed());
    }
    assert!(longest < SOON, "{longest:?}");
    let asked = Instant::now();
    assert_eq!(get(&server, "/js/1001.js").await.status(), 503);
    assert!(asked.elapsed() < SOON, "{:?}", asked.elapsed());
}

#[tokio::test]
async fn a_server_is_not_ready_within_a_second_and_says_why() {
    let (folder, files) = (Folder::new(), Folder::new());
    let cluster = Cluster::start(&files);
    let server = restarted(&folder, &cluster);
    assert_eq!(get(&server, "/readyz").await.status(), 200);
    let frozen = cluster.freeze();

    let mut answer = get(&server, "/readyz").await;
    while answer.status() == 200 {
        // The answer of a second ago.
        answer = get(&server, "/readyz").await;
    }
    let since = Instant::now();
    let (one, other) = tokio::join!(get(&server, "/readyz"), get(&server, "/readyz"));

    assert!(since.elapsed() < SOON, "{:?}", since.elapsed());
    assert_eq!([answer.status(), one.status(), other.status()].map(|it| it.as_u16()), [503; 3]);
    assert_eq!(answer.headers()["retry-after"], "1");
    let problem: Value = answer.json().await.unwrap();
    assert_eq!(problem["code"], "database_unavailable", "{problem}");
    drop(frozen);
    // Once its last write is answered.
    while get(&server, "/readyz").await.status() != 200 {}
}
