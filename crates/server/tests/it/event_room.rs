//! Files of events where the disk is full, or nearly so.

use std::process::Command;

use app::events::{FREE_BYTES_AT_LEAST, compact_event_files, seal_events};

use crate::event_files::{WAIT, files, path, seal_one};
use crate::events::{batch, bought, now, publish, send};
use crate::site::Site;

#[tokio::test]
async fn small_files_stay_as_they_are_where_one_of_all_would_leave_too_little_room() {
    let site = Site::start();
    publish(&site, "on").await;
    for visitor in 0..8 {
        seal_one(&site, &format!("v{visitor}"), now(&site)).await;
    }
    let small = files(&site).await;
    let bytes: u64 = small.iter().map(|file| file.bytes).sum();

    site.app.event_room().look(FREE_BYTES_AT_LEAST + bytes - 1);
    compact_event_files(&site.app).await.unwrap();
    assert_eq!(files(&site).await, small);

    site.app.event_room().look(FREE_BYTES_AT_LEAST + bytes);
    compact_event_files(&site.app).await.unwrap();
    assert_eq!(files(&site).await.len(), 1);
}

#[tokio::test]
async fn events_move_into_files_while_none_are_taken_and_stay_where_a_file_would_fill_the_disk() {
    let site = Site::start();
    publish(&site, "on").await;
    send(&site, &batch("ada", &[bought("o1", now(&site))])).await;
    site.advance_seconds(WAIT);

    site.app.event_room().look(1_000_000);
    let left = seal_events(&site.app).await.unwrap();
    site.app.event_room().look(FREE_BYTES_AT_LEAST - 1);
    let moved = seal_events(&site.app).await.unwrap();

    assert_eq!((left.events, moved.events), (0, 1));
}

/// In a database that runs it, no file can be listed any more: a table has no number left for its next row, which is answered as a full disk is.
const USES_UP: &str = "\
    CREATE TABLE used_up (id INTEGER PRIMARY KEY AUTOINCREMENT);
    INSERT INTO used_up VALUES (9223372036854775807);
    CREATE TRIGGER fills BEFORE INSERT ON event_file BEGIN INSERT INTO used_up VALUES (NULL); END;";

fn db_is_full_for_files(site: &Site) {
    let program = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])";
    let database = site.folder.path().join("assay.db");
    let mut python = Command::new("python3");
    let done = python.args(["-c", program]).arg(database).arg(USES_UP).status().unwrap();
    assert!(done.success());
}

#[tokio::test]
async fn files_that_a_full_disk_keeps_from_being_listed_are_gone() {
    let site = Site::start();
    publish(&site, "on").await;
    for visitor in 0..8 {
        seal_one(&site, &format!("v{visitor}"), now(&site)).await;
    }
    let listed = files(&site).await;
    let folder = path(&site, &listed[0]).parent().unwrap().to_owned();
    db_is_full_for_files(&site);

    let compacted = compact_event_files(&site.app).await.unwrap_err().to_string();
    send(&site, &batch("late", &[bought("late", now(&site))])).await;
    site.advance_seconds(WAIT);
    let sealed = seal_events(&site.app).await.unwrap_err().to_string();

    for told in [compacted, sealed] {
        assert_eq!(told, "the disk of the database is full");
    }
    assert_eq!(files(&site).await, listed);
    assert_eq!(folder.read_dir().unwrap().count(), 8);
}
