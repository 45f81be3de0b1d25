//! Verification finds every change that an administrator of the database makes to the audit log past Assay.

use rusqlite::Connection;
use storage::{AuditChainStore as _, AuditHash, BrokenChain, ChainCheck, SqliteStore, Store};

use crate::audit_chain::chain;
use crate::cluster::Database;
use crate::given::{at, tokens};

/// A forged entry.
const FORGED: &str = "\
    INSERT INTO audit_entry (at, event, actor, member, client_id, address, detail, count, seal, \
        prev_hash, hash) \
    SELECT at, event, actor, 9, client_id, address, detail, count, seal + 5, prev_hash, hash \
    FROM audit_entry WHERE seal = 5; ";

/// Numbers are taken once, so they are moved out of the way first.
const CLOSE_THE_GAP: &str = "\
    UPDATE audit_entry SET seal = seal + 100 WHERE seal > 2; \
    UPDATE audit_entry SET seal = seal - 101 WHERE seal > 100; ";

/// A manipulation of a chain of five entries, and the finding.
fn tamperings() -> Vec<(String, &'static str)> {
    let changed = |assignment| format!("UPDATE audit_entry SET {assignment} WHERE seal = 3");
    let delete = "DELETE FROM audit_entry WHERE seal = 2; ";
    let mut tamperings: Vec<(String, &'static str)> = [
        "at = at + 1",
        "event = 'session.started'",
        "actor = 'client'",
        "member = 2",
        "client_id = ''",
        "address = '198.51.100.1'",
        "detail = ''",
        "count = 2",
        "project = 1",
        "entity = 'page 1'",
        "change = '[]'",
        "request_id = 'a'",
        "hash = prev_hash",
        "hash = NULL",
    ]
    .into_iter()
    .map(|assignment| (changed(assignment), "entry 3 is not as it was sealed"))
    .collect();
    tamperings.extend([
        (changed("prev_hash = NULL"), "entry 3 was not sealed after the one before it"),
        (delete.to_owned(), "entry 2 is missing: after 1 comes 3"),
        (changed("seal = NULL"), "entry 3 is missing: after 2 comes 4"),
        (format!("{delete}{CLOSE_THE_GAP}"), "entry 2 was not sealed after the one before it"),
        (FORGED.to_owned(), "entry 7 is missing: after 6 comes 10"),
        (
            format!("{FORGED} UPDATE audit_entry SET seal = 7 WHERE seal = 10"),
            "entry 7 was not sealed after the one before it",
        ),
        (
            "UPDATE audit_entry SET seal = 102 WHERE seal = 2; \
             UPDATE audit_entry SET seal = 2 WHERE seal = 3; \
             UPDATE audit_entry SET seal = 3 WHERE seal = 102"
                .to_owned(),
            "entry 2 was not sealed after the one before it",
        ),
        (
            "DELETE FROM audit_entry WHERE seal = 1; \
             UPDATE audit_entry SET seal = seal + 100; UPDATE audit_entry SET seal = seal - 101"
                .to_owned(),
            "entry 1 was not sealed after the one before it",
        ),
    ]);
    tamperings
}

/// What is wrong with the chain, if anything is.
async fn fault(store: &dyn Store, noted: Option<AuditHash>) -> Option<BrokenChain> {
    let mut check = ChainCheck::new(noted);
    let taken = chain(store).await.iter().try_for_each(|entry| check.take(entry));
    taken.and_then(|()| check.finish().map(drop)).err()
}

async fn sealed(store: &dyn Store) {
    tokens(store).await;
    store.seal_audit_entries(at(2)).await.unwrap();
    assert_eq!(fault(store, None).await, None);
}

#[tokio::test]
async fn whatever_is_done_to_a_file_is_found() {
    for (statements, expected) in tamperings() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assay.db");
        let store = SqliteStore::open(&path).unwrap();
        sealed(&store).await;

        Connection::open(&path).unwrap().execute_batch(&statements).unwrap();

        let fault = fault(&store, None).await.expect(&statements);
        assert_eq!(fault.to_string(), expected, "{statements}");
    }
}

#[tokio::test]
async fn whatever_is_done_to_a_postgres_database_is_found() {
    for (statements, expected) in tamperings() {
        let database = Database::new().await;
        let store = database.store().await;
        sealed(&store).await;

        database.connect().await.batch_execute(&statements).await.unwrap();

        let fault = fault(&store, None).await.expect(&statements);
        assert_eq!(fault.to_string(), expected, "{statements}");
    }
}

#[tokio::test]
async fn a_hash_that_was_noted_tells_of_an_end_that_was_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("assay.db");
    let store = SqliteStore::open(&path).unwrap();
    sealed(&store).await;
    let head = store.audit_head().await.unwrap().unwrap();
    let noted = Some(head.hash);
    assert_eq!(fault(&store, noted).await, None);

    let outsider = Connection::open(&path).unwrap();
    outsider.execute_batch("DELETE FROM audit_entry WHERE seal > 3").unwrap();

    assert_eq!(fault(&store, None).await, None, "what is left is sound");
    assert_eq!(fault(&store, noted).await, Some(BrokenChain::NotedHashMissing(head.hash)));
}

#[tokio::test]
async fn what_is_left_when_the_oldest_have_gone_is_sound() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("assay.db");
    let store = SqliteStore::open(&path).unwrap();
    sealed(&store).await;
    let before = chain(&store).await[1].hash;

    let outsider = Connection::open(&path).unwrap();
    outsider.execute_batch("DELETE FROM audit_entry WHERE seal <= 2").unwrap();

    assert_eq!(chain(&store).await.len(), 4);
    assert_eq!(fault(&store, before).await, None, "the last that went can still be found");
}
