//! Migrations of a database that others use meanwhile, and databases that Assay cannot use.

use storage::{FoundSchema, OpenError, PostgresStore};

use super::wait_for;
use crate::cluster::Database;
use crate::released::{database, released};

/// One before a step that changes the table of events.
const BEFORE_EVENTS_CHANGE: usize = 26;

#[tokio::test]
async fn a_migration_that_waits_for_a_lock_lets_events_through_and_is_done_in_the_end() {
    let (schema, content) = released().swap_remove(BEFORE_EVENTS_CHANGE - 1);
    assert_eq!(schema, BEFORE_EVENTS_CHANGE);
    let database = database(schema, &content).await;
    let (reader, server) = (database.connect().await, database.connect().await);
    reader.batch_execute("BEGIN; SELECT count(*) FROM event_log").await.unwrap();
    let address = database.address();

    let migrating = tokio::spawn(async move { PostgresStore::open(&address).await.map(drop) });
    wait_for(1, &database.connect().await).await;
    let taken =
        server.batch_execute("SET lock_timeout = '4s'; DELETE FROM event_log WHERE FALSE").await;
    reader.batch_execute("COMMIT").await.unwrap();
    migrating.await.unwrap().unwrap();

    assert!(taken.is_ok(), "{taken:?}");
    let found = PostgresStore::find_schema(&database.address()).await.unwrap();
    assert_eq!(found, FoundSchema::Current);
}

#[tokio::test]
async fn a_database_that_cannot_keep_all_text_is_refused() {
    let mut database = Database::new().await;
    let latin = format!("{}_latin", database.name);
    let create = format!("CREATE DATABASE {latin} ENCODING LATIN1 LOCALE 'C' TEMPLATE template0");
    database.connect().await.batch_execute(&create).await.unwrap();
    database.name = latin;

    let opened = PostgresStore::open(&database.address()).await.err().unwrap();
    let found = PostgresStore::find_schema(&database.address()).await.err().unwrap();

    for error in [opened, found] {
        assert!(matches!(&error, OpenError::Encoding(name) if name == "LATIN1"), "{error}");
    }
}
