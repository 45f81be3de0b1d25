//! A database that does not answer.

use std::time::{Duration, Instant};

use crate::command_line::binary::{Folder, PROJECT};
use crate::crash::cluster::Cluster;

#[tokio::test]
async fn pages_get_what_was_live_while_the_database_does_not_answer() {
    let (folder, files) = (Folder::new(), Folder::new());
    let cluster = Cluster::start(&files);
    let server = folder.serve(&["--demo", "--database", &cluster.database("outage")]);
    let snippet = server.url("/js/1000.js");
    assert_eq!(reqwest::get(&snippet).await.unwrap().status(), 200);

    cluster.stop();

    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(2) {
        assert_eq!(reqwest::get(&snippet).await.unwrap().status(), 200);
    }
    let unknown = reqwest::get(&server.url("/js/1001.js")).await.unwrap();
    assert_eq!(unknown.status(), 503, "the database really does not answer");
}

#[tokio::test]
async fn a_project_file_that_was_saved_meanwhile_is_published_once_the_database_is_back() {
    let (folder, files) = (Folder::new(), Folder::new());
    let cluster = Cluster::start(&files);
    folder.write("shop.yaml", PROJECT);
    let mut server = folder.serve(&["shop.yaml", "--database", &cluster.database("outage")]);
    cluster.stop();
    folder.write("shop.yaml", &PROJECT.replace("Ship faster", "Ship sooner"));
    server.log_until("the last good revision stays live");

    cluster.start_again();

    server.log_until("published");
    let snippet = reqwest::get(&server.url("/js/1000.js")).await.unwrap().text().await.unwrap();
    assert!(snippet.contains("Ship sooner"), "{snippet}");
}
