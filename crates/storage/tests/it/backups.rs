//! Backups: what one store has, another has after it was restored, whichever database it is.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use oauth::{SigningKey, Timestamp};
use rusqlite::Connection;
use serde_json::Value;
use storage::{
    Authority, Backup, BackupSummary, KeyUse, NewKeys, NewMember, PostgresStore, RestoreError,
    RestoreSummary, RestoredTokens, SqliteStore, Store,
};
use tempfile::TempDir;
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use crate::cluster::Database;
use crate::given::{at, by_command, client_id, hash, keeping, opens, tokens};
use crate::released::{database, everything_is_there, file, released};

/// A folder with a file for a database and one for its backup.
pub(crate) struct BackupFolder(TempDir);

impl BackupFolder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.path().join("assay.db")
    }

    pub(crate) fn backup(&self) -> PathBuf {
        self.0.path().join("assay.backup")
    }

    fn write(&self) -> File {
        File::create(self.backup()).unwrap()
    }

    pub(crate) fn check(&self) -> Result<Backup, RestoreError> {
        Backup::check(File::open(self.backup()).unwrap())
    }

    /// Backs up the file.
    pub(crate) fn back_up(&self) -> BackupSummary {
        SqliteStore::back_up(&self.path(), self.write(), at(0), &mut |_, _| ()).unwrap().1
    }

    /// Backs up a database.
    async fn back_up_of(&self, database: &Database) -> BackupSummary {
        let address = database.address();
        PostgresStore::back_up(&address, self.write(), at(0), &mut |_, _| ()).await.unwrap().1
    }

    /// Restores the backup to this file.
    pub(crate) fn restore(&self, path: &Path) -> Result<RestoreSummary, RestoreError> {
        SqliteStore::restore(
            path,
            &mut self.check()?,
            RestoredTokens::Kept,
            &NewKeys::default(),
            &mut |_, _| (),
        )
    }

    /// Restores the backup to this database.
    async fn restore_to(&self, database: &Database) -> Result<RestoreSummary, RestoreError> {
        let (address, mut backup) = (database.address(), self.check()?);
        PostgresStore::restore(
            &address,
            &mut backup,
            RestoredTokens::Kept,
            &NewKeys::default(),
            &mut |_, _| (),
        )
        .await
    }

    /// The backup's tables with their rows, which come in no order.
    fn content(&self) -> Vec<(String, Vec<String>)> {
        let mut text = String::new();
        GzDecoder::new(File::open(self.backup()).unwrap()).read_to_string(&mut text).unwrap();
        let mut lines = text.lines();
        let header: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
        let tables = header["tables"].as_array().unwrap().iter().map(|table| {
            let count = usize::try_from(table["rows"].as_u64().unwrap()).unwrap();
            let mut rows: Vec<String> = lines.by_ref().take(count).map(str::to_owned).collect();
            rows.sort_unstable();
            (format!("{} {}", table["name"], table["columns"]), rows)
        });
        tables.collect()
    }
}

/// A store of today's schema that has something in every table.
fn full(place: &BackupFolder) {
    let (schema, content) = released().pop().unwrap();
    drop(file(&place.path(), schema, &content));
    drop(SqliteStore::open(&place.path()).unwrap());
}

#[tokio::test]
async fn a_file_goes_to_postgres_and_back_unchanged() {
    let (one, two, three) = (BackupFolder::new(), BackupFolder::new(), BackupFolder::new());
    full(&one);
    let database = Database::new().await;

    let made = one.back_up();
    let to_postgres = one.restore_to(&database).await.unwrap();
    two.back_up_of(&database).await;
    two.restore(&three.path()).unwrap();
    three.back_up();

    assert_eq!((to_postgres.rows, to_postgres.schema), (made.rows, made.schema));
    let content = one.content();
    assert!(content.iter().all(|(_, rows)| !rows.is_empty()), "{content:?}");
    assert_eq!(content, two.content());
    assert_eq!(content, three.content());
    everything_is_there(&PostgresStore::open(&database.address()).await.unwrap(), usize::MAX).await;
    everything_is_there(&SqliteStore::open(&three.path()).unwrap(), usize::MAX).await;
}

#[test]
fn a_backup_has_every_table() {
    let place = BackupFolder::new();
    full(&place);
    place.back_up();

    let database = Connection::open(place.path()).unwrap();
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let mut tables = database.prepare(tables).unwrap();
    let tables = tables.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let mut tables: Vec<String> = tables.map(Result::unwrap).collect();
    let name = |table: &str| table.split('"').nth(1).unwrap().to_owned();
    let mut found: Vec<String> = place.content().iter().map(|(table, _)| name(table)).collect();
    tables.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, tables);
}

#[tokio::test]
async fn a_file_of_every_schema_is_backed_up_as_it_is_and_restored_up_to_date() {
    for (schema, content) in released() {
        let (place, after) = (BackupFolder::new(), BackupFolder::new());
        drop(file(&place.path(), schema, &content));
        let made = place.back_up();
        place.restore(&after.path()).unwrap();

        everything_is_there(&SqliteStore::open(&after.path()).unwrap(), schema).await;
        let steps = released().iter().filter(|(number, _)| *number <= schema).count();
        assert_eq!(usize::try_from(made.schema).unwrap(), steps);
    }
}

#[tokio::test]
async fn a_postgres_database_of_every_schema_is_backed_up_and_restored_up_to_date() {
    for (schema, content) in released() {
        let (place, after) = (BackupFolder::new(), Database::new().await);
        place.back_up_of(&database(schema, &content).await).await;
        place.restore_to(&after).await.unwrap();

        let store = PostgresStore::open(&after.address()).await.unwrap();
        everything_is_there(&store, schema).await;
    }
}

#[tokio::test]
async fn changes_during_a_backup_of_a_file_are_not_in_it() {
    let (place, after) = (BackupFolder::new(), BackupFolder::new());
    full(&place);
    let path = place.path();
    let mut disturb = |_, _| {
        let other = Connection::open(&path).unwrap();
        other.execute_batch("DELETE FROM session; DELETE FROM token_family").unwrap();
    };

    SqliteStore::back_up(&place.path(), place.write(), at(0), &mut disturb).unwrap();

    place.restore(&after.path()).unwrap();
    everything_is_there(&SqliteStore::open(&after.path()).unwrap(), usize::MAX).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_during_a_backup_of_postgres_are_not_in_it() {
    let place = BackupFolder::new();
    full(&place);
    place.back_up();
    let (one, other) = (Database::new().await, Database::new().await);
    place.restore_to(&one).await.unwrap();
    let outsider = one.connect().await;
    let mut disturb = |_, _| {
        let delete = outsider.batch_execute("DELETE FROM session; DELETE FROM token_family");
        block_in_place(|| Handle::current().block_on(delete)).unwrap();
    };

    PostgresStore::back_up(&one.address(), place.write(), at(0), &mut disturb).await.unwrap();

    place.restore_to(&other).await.unwrap();
    everything_is_there(&PostgresStore::open(&other.address()).await.unwrap(), usize::MAX).await;
}

/// What could have been revoked since ends; what was never a matter of a moment stays.
async fn tokens_have_ended(store: &dyn Store, ended: &RestoreSummary) {
    assert_eq!(ended.ended.unwrap().families, 1);
    assert!(!opens(store, "old access").await);
    assert!(store.find_session(&hash("session"), at(0)).await.unwrap().is_none());
    store.refresh(keeping("old refresh", "new access", at(2))).await.unwrap();
    assert!(!opens(store, "new access").await);
    let ann = store.find_member_by_email("ann@example.com").await.unwrap().unwrap();
    assert!(store.find_consent(ann.id, &client_id("reports")).await.unwrap().is_some());
}

#[tokio::test]
async fn what_was_restored_to_a_file_opens_nothing_unless_it_is_kept() {
    let (place, after) = (BackupFolder::new(), BackupFolder::new());
    full(&place);
    place.back_up();
    let mut backup = place.check().unwrap();

    let ended = RestoredTokens::EndedAt(at(1));
    let restored = SqliteStore::restore(
        &after.path(),
        &mut backup,
        ended,
        &NewKeys::default(),
        &mut |_, _| (),
    );

    let store = SqliteStore::open(&after.path()).unwrap();
    tokens_have_ended(&store, &restored.unwrap()).await;
}

#[tokio::test]
async fn what_was_restored_to_postgres_opens_nothing_unless_it_is_kept() {
    let (place, after) = (BackupFolder::new(), Database::new().await);
    full(&place);
    place.back_up();
    let mut backup = place.check().unwrap();

    let ended = RestoredTokens::EndedAt(at(1));
    let restored = PostgresStore::restore(
        &after.address(),
        &mut backup,
        ended,
        &NewKeys::default(),
        &mut |_, _| (),
    )
    .await;

    let store = PostgresStore::open(&after.address()).await.unwrap();
    tokens_have_ended(&store, &restored.unwrap()).await;
}

/// The key by which a database recognizes its files of events, and the one that is always the same.
async fn keys(store: &dyn Store) -> [SigningKey; 2] {
    let key = async |key_use| {
        let other = SigningKey::from_bytes([9; 32]);
        store.find_or_add_signing_key(key_use, other).await.unwrap()
    };
    [key(KeyUse::EventFiles).await, key(KeyUse::Lasting).await]
}

#[tokio::test]
async fn a_file_or_postgres_database_that_is_restored_takes_new_keys_and_keeps_the_lasting_one() {
    let (place, after, database) =
        (BackupFolder::new(), BackupFolder::new(), Database::new().await);
    full(&place);
    place.back_up();
    let new = NewKeys { event_files: Some(SigningKey::from_bytes([5; 32])), signatures: None };
    let (kept, mut backup) = (RestoredTokens::Kept, place.check().unwrap());

    SqliteStore::restore(&after.path(), &mut backup, kept, &new, &mut |_, _| ()).unwrap();
    let address = database.address();
    PostgresStore::restore(&address, &mut backup, kept, &new, &mut |_, _| ()).await.unwrap();

    let original = keys(&SqliteStore::open(&place.path()).unwrap()).await;
    assert_eq!(original.map(|key| *key.as_bytes()), [[7; 32]; 2]);
    for restored in [
        keys(&SqliteStore::open(&after.path()).unwrap()).await,
        keys(&database.store().await).await,
    ] {
        assert_eq!(restored.map(|key| *key.as_bytes()), [[5; 32], [7; 32]]);
    }
}

async fn add_member(store: &dyn Store) -> String {
    let member = NewMember {
        email: "new@example.com".to_owned(),
        password_hash: "$argon2id$new".to_owned(),
        is_password_temporary: false,
        roles: Vec::new(),
        through: None,
        act: by_command(0),
    };
    store.add_member(member, Authority::Operator).await.unwrap().to_string()
}

#[tokio::test]
async fn the_id_of_a_removed_member_is_not_reused_in_postgres_or_a_file() {
    let (one, two, three) = (BackupFolder::new(), BackupFolder::new(), BackupFolder::new());
    full(&one);
    let remove = "DELETE FROM member WHERE id = 2";
    Connection::open(one.path()).unwrap().execute_batch(remove).unwrap();
    let database = Database::new().await;

    one.back_up();
    one.restore_to(&database).await.unwrap();
    two.back_up_of(&database).await;
    two.restore(&three.path()).unwrap();

    assert_eq!(add_member(&database.store().await).await, "4");
    assert_eq!(add_member(&SqliteStore::open(&three.path()).unwrap()).await, "4");
}

#[tokio::test]
async fn keys_that_a_first_start_made_give_way_to_those_of_the_backup_on_postgres_too() {
    let (place, started, database) =
        (BackupFolder::new(), BackupFolder::new(), Database::new().await);
    let key = |byte: u8| SigningKey::from_bytes([byte; 32]);
    let store = SqliteStore::open(&place.path()).unwrap();
    store.find_or_add_signing_key(KeyUse::Lasting, key(1)).await.unwrap();
    place.back_up();
    let of_file = SqliteStore::open(&started.path()).unwrap();
    of_file.find_or_add_signing_key(KeyUse::Lasting, key(2)).await.unwrap();
    let on_server = database.store().await;
    on_server.find_or_add_signing_key(KeyUse::Lasting, key(2)).await.unwrap();

    let found = [
        SqliteStore::check_empty(&started.path()).unwrap(),
        PostgresStore::check_empty(&database.address()).await.unwrap(),
    ];
    place.restore(&started.path()).unwrap();
    place.restore_to(&database).await.unwrap();

    assert!(found.iter().all(|found| found.as_ref().unwrap().as_bytes() == &[2; 32]));
    for store in
        [&SqliteStore::open(&started.path()).unwrap() as &dyn Store, &database.store().await]
    {
        let kept = store.find_or_add_signing_key(KeyUse::Lasting, key(3)).await.unwrap();
        assert_eq!(kept.as_bytes(), &[1; 32]);
    }
}

#[test]
fn no_backup_is_made_of_a_file_without_tables() {
    let place = BackupFolder::new();
    File::create(place.path()).unwrap();

    let refused = SqliteStore::back_up(&place.path(), place.write(), at(0), &mut |_, _| ()).err();

    let told = refused.unwrap().to_string();
    assert_eq!(told, "cannot open the database: there is nothing in it yet");
}

#[tokio::test]
async fn a_file_with_rows_stays_as_it_is() {
    let (place, other) = (BackupFolder::new(), BackupFolder::new());
    full(&place);
    place.back_up();
    let store = SqliteStore::open(&other.path()).unwrap();
    tokens(&store).await;

    let refused = place.restore(&other.path()).err().unwrap();

    assert!(matches!(&refused, RestoreError::NotEmpty(table) if table == "member"), "{refused}");
    assert!(opens(&store, "access 0").await);
}

#[tokio::test]
async fn a_postgres_database_with_rows_stays_as_it_is() {
    let (place, other) = (BackupFolder::new(), Database::new().await);
    full(&place);
    place.back_up();
    let store = other.store().await;
    tokens(&store).await;

    let refused = place.restore_to(&other).await.err().unwrap();

    assert!(matches!(&refused, RestoreError::NotEmpty(table) if table == "member"), "{refused}");
    assert!(opens(&store, "access 0").await);
}

#[tokio::test]
async fn a_backup_of_an_older_schema_goes_into_a_store_that_was_opened_but_not_used_on_postgres_too()
 {
    let (schema, content) = released().remove(0);
    let (place, after, database) =
        (BackupFolder::new(), BackupFolder::new(), Database::new().await);
    drop(file(&place.path(), schema, &content));
    place.back_up();
    drop(SqliteStore::open(&after.path()).unwrap());
    drop(database.store().await);

    place.restore(&after.path()).unwrap();
    place.restore_to(&database).await.unwrap();

    everything_is_there(&SqliteStore::open(&after.path()).unwrap(), schema).await;
    everything_is_there(&database.store().await, schema).await;
}

#[test]
fn progress_is_told_row_by_row() {
    let place = BackupFolder::new();
    full(&place);
    let mut told = Vec::new();
    let mut tell = |done, of| told.push((done, of));

    let (mut file, made) =
        SqliteStore::back_up(&place.path(), Vec::new(), Timestamp::from_milliseconds(0), &mut tell)
            .unwrap();

    file.flush().unwrap();
    let expected: Vec<_> = (1..=made.rows).map(|done| (done, made.rows)).collect();
    assert_eq!(told, expected);
}
