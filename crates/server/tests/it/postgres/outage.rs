//! A database that does not answer.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{database, variable};
use crate::command_line::binary::Folder;

/// Does something to a database behind the server's back.
fn sql(address: &str, statement: &str) {
    let psql = Path::new(&variable("ASSAY_TEST_POSTGRES_CREATEDB")).with_file_name("psql");
    let done = Command::new(psql).args([address, "--quiet", "--command", statement]).output();
    let done = done.unwrap();
    assert!(done.status.success(), "{done:?}");
}

#[tokio::test]
async fn pages_get_what_was_live_while_the_database_does_not_answer() {
    let (address, folder) = (database("outage"), Folder::new());
    let server = folder.serve(&["--demo", "--database", &address]);
    let snippet = server.url("/js/1000.js");
    assert_eq!(reqwest::get(&snippet).await.unwrap().status(), 200);

    sql(&address, "ALTER TABLE project RENAME TO gone");
    let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    sql(&address, others);

    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(2) {
        assert_eq!(reqwest::get(&snippet).await.unwrap().status(), 200);
    }
    let unknown = reqwest::get(&server.url("/js/1001.js")).await.unwrap();
    assert_eq!(unknown.status(), 503, "the database really does not answer");
}
