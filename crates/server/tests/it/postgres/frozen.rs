//! A database that stands still: its connections are there, and nothing answers.

use std::time::{Duration, Instant};

use reqwest::{Client, Response};

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
