//! What is particular to the SQLite adapter: the file.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use oauth::{CredentialKind, ScopeSet, Timestamp};
use rusqlite::Connection;
use secrecy::ExposeSecret as _;
use storage::{
    AuditChainStore as _, AuthorizationCodeStore as _, ChangeRolesOutcome, ClientStore as _,
    EventStore as _, ExchangeCode, ExchangeOutcome, GrantStore as _, NewAuthorizationCode, NewKeys,
    NewSession, OpenError, RoleGrant, RoleStore, SessionStore as _, SqliteStore, StorageError,
    Store,
};

use crate::given::{
    DAY, REFRESHED, all_at_once, at, by_command, client, close, code, consenting_member, exchange,
    hash, keeping, keeping_a_month, member, new_code, new_session, opens, rotating, sqlite, tokens,
};
use crate::preview_links::{self, link, with_projects};
use crate::revisions::{live, publication, publish};
use crate::roles::{change, member_with};

fn db_count(folder: &Path, table: &str) -> i64 {
    let connection = Connection::open(folder.join("assay.db")).unwrap();
    connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

/// A copy of the files as a power cut would leave them: nothing was closed.
fn cut_power(folder: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in ["assay.db", "assay.db-wal"] {
        fs::copy(folder.join(file), copy.path().join(file)).unwrap();
    }
    copy
}

#[tokio::test]
async fn what_was_answered_is_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = sqlite(folder.path());
    tokens(&store).await;
    assert_eq!(store.refresh(rotating("0", "1")).await, REFRESHED);

    let copy = cut_power(folder.path());

    let after = sqlite(copy.path());
    assert_eq!(after.exchange_code(exchange()).await, Ok(ExchangeOutcome::AlreadyUsed));
    let copy = cut_power(folder.path());
    let after = sqlite(copy.path());
    assert!(opens(&after, "access 0").await);
    assert!(opens(&after, "access 1").await);
    assert_eq!(after.refresh(rotating("1", "2")).await, REFRESHED);
}

#[tokio::test]
async fn two_processes_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (sqlite(folder.path()), sqlite(folder.path()));
    code(&one).await;

    let outcomes = all_at_once((0..12).map(|number| {
        let store = if number % 2 == 0 { &one } else { &other };
        store.exchange_code(ExchangeCode {
            access_token: hash(&format!("access of {number}")),
            refresh_token: hash(&format!("refresh of {number}")),
            ..exchange()
        })
    }))
    .await;

    let exchanged = Ok(ExchangeOutcome::Exchanged(ScopeSet::ALL));
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == exchanged).count(), 1);
    assert_eq!(db_count(folder.path(), "token_family"), 1);
}

#[tokio::test]
async fn a_file_that_is_moved_takes_no_writes_until_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = sqlite(folder.path());
    let [here, there] = ["assay.db", "moved.db"].map(|name| folder.path().join(name));

    fs::rename(&here, &there).unwrap();
    let moved = store.is_writable().await;
    fs::copy(&there, &here).unwrap();
    let replaced = (store.is_writable().await, store.newest_moment().await);
    fs::rename(&there, &here).unwrap();
    let back = (store.is_writable().await, store.newest_moment().await);

    let gone = StorageError::FileGone;
    assert_eq!((moved, replaced), (Err(gone.clone()), (Err(gone.clone()), Err(gone))));
    assert_eq!(back, (Ok(()), Ok(None)));
}

#[tokio::test]
async fn a_file_in_the_place_of_another_gets_nothing_of_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let [here, log] = ["assay.db", "assay.db-wal"].map(|name| folder.path().join(name));
    let backup = folder.path().join("backup.db");
    close(sqlite(folder.path()));
    fs::copy(&here, &backup).unwrap();
    let store = sqlite(folder.path());
    member(&store).await;
    assert!(fs::metadata(&log).unwrap().len() > 0);

    fs::rename(&backup, &here).unwrap();
    while fs::metadata(&log).unwrap().len() > 0 {}
    close(store);

    let after = sqlite(folder.path());
    assert_eq!(after.is_writable().await, Ok(()));
    assert_eq!(SqliteStore::find_damage(&here).unwrap(), None);
    assert_eq!(db_count(folder.path(), "member"), 0);
}

#[tokio::test]
async fn what_is_erased_from_the_log_is_not_moved_into_a_file_in_the_place_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let [here, backup] = ["assay.db", "backup.db"].map(|name| folder.path().join(name));
    close(sqlite(folder.path()));
    fs::copy(&here, &backup).unwrap();
    let store = sqlite(folder.path());
    member(&store).await;
    let other = fs::read(&backup).unwrap();

    fs::rename(&backup, &here).unwrap();
    store.erase_deleted().await;

    assert!(fs::read(&here).unwrap() == other);
}

#[tokio::test]
async fn a_file_that_another_process_locks_is_waited_for_and_then_told() {
    let folder = tempfile::tempdir().unwrap();
    let store = sqlite(folder.path());
    code(&store).await;
    let other = Connection::open(folder.path().join("assay.db")).unwrap();

    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let refused = store.exchange_code(exchange()).await;
    other.execute_batch("COMMIT").unwrap();

    assert_eq!(refused, Err(StorageError::Busy));
    assert_eq!(
        store.exchange_code(exchange()).await,
        Ok(ExchangeOutcome::Exchanged(ScopeSet::ALL))
    );
}

#[tokio::test]
async fn what_another_process_ends_opens_nothing_half_a_second_later() {
    let folder = tempfile::tempdir().unwrap();
    let (server, command) = (sqlite(folder.path()), sqlite(folder.path()));
    tokens(&server).await;
    let opens_after = async |milliseconds| {
        let now = Timestamp::from_milliseconds(at(3).as_milliseconds() + milliseconds);
        server.find_access_token(&hash("access 0"), now).await.unwrap().is_some()
    };
    assert!(opens_after(0).await && opens_after(100).await);

    command.end_everything(NewKeys::default(), at(3)).await.unwrap();

    assert!(opens_after(499).await, "it is answered from memory");
    assert!(!opens_after(500).await);
}

#[tokio::test]
async fn roles_that_another_process_changes_count_half_a_second_later() {
    let folder = tempfile::tempdir().unwrap();
    let (server, command) = (sqlite(folder.path()), sqlite(folder.path()));
    let ann = member_with(&server, "ann", &[RoleGrant::OWNER]).await;
    let bob = member_with(&server, "bob", &[RoleGrant::OWNER]).await;
    let roles_after = async |milliseconds| {
        let now = Timestamp::from_milliseconds(at(3).as_milliseconds() + milliseconds);
        server.find_roles(bob, now).await.unwrap().len()
    };
    assert_eq!((roles_after(0).await, roles_after(100).await), (1, 1));

    let lowered = change(bob, &[RoleGrant::OWNER], Some(&[]));
    assert_eq!(command.change_roles(lowered).await, Ok(ChangeRolesOutcome::Changed));

    assert_eq!(roles_after(499).await, 1, "they are answered from memory");
    assert_eq!(roles_after(500).await, 0);
    assert_eq!(server.find_roles(ann, at(4)).await.unwrap().len(), 1);
}

#[tokio::test]
async fn what_another_process_publishes_is_live_half_a_second_later() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (sqlite(folder.path()), sqlite(folder.path()));
    publish(&one, publication(1, "a", "a")).await;
    assert_eq!(live(&one, 1, at(5)).await, Some(1));

    publish(&other, publication(1, "b", "b")).await;

    assert_eq!(live(&one, 1, at(5)).await, Some(1), "it is answered from memory");
    let later = Timestamp::from_milliseconds(at(5).as_milliseconds() + 500);
    assert_eq!(live(&one, 1, later).await, Some(2));
}

#[test]
fn processes_that_start_at_once_agree_on_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("assay.db");

    let opened: Vec<bool> = std::thread::scope(|scope| {
        let starts: Vec<_> =
            (0..6).map(|_| scope.spawn(|| SqliteStore::open(&path).is_ok())).collect();
        starts.into_iter().map(|start| start.join().unwrap()).collect()
    });

    assert_eq!(opened, [true; 6]);
}

#[tokio::test]
async fn no_secret_is_in_the_file() {
    use CredentialKind::{AccessToken, AuthorizationCode, ClientSecret, RefreshToken, Session};
    let folder = tempfile::tempdir().unwrap();
    let store = sqlite(folder.path());
    let secrets: Vec<String> =
        [AuthorizationCode, AccessToken, RefreshToken, ClientSecret, Session]
            .into_iter()
            .zip(1..)
            .map(|(kind, number)| oauth::mint(kind, at(0), [number; 32]).expose_secret().to_owned())
            .collect();
    let [code, access_token, refresh_token, client_secret, session] =
        [0, 1, 2, 3, 4].map(|place| hash(&secrets[place]));

    let member = consenting_member(&store).await;
    let mut client = client("reports");
    client.secrets[0].hash = client_secret;
    store.add_client(client, by_command(0)).await.unwrap();
    store
        .add_session(NewSession { hash: session, ..new_session("session", member, 0) })
        .await
        .unwrap();
    let new_code = NewAuthorizationCode { hash: code, ..new_code("code", member) };
    store.add_authorization_code(new_code).await.unwrap();
    let exchange = ExchangeCode { code, access_token, refresh_token, ..exchange() };
    store.exchange_code(exchange).await.unwrap();
    assert_eq!(store.refresh(keeping(&secrets[2], "access 1", at(2))).await, REFRESHED);

    for entry in fs::read_dir(folder.path()).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        for secret in &secrets {
            let is_there = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!is_there, "{secret}");
        }
    }
}

#[tokio::test]
async fn expired_rows_go_with_later_commits() {
    let folder = tempfile::tempdir().unwrap();
    let store = sqlite(folder.path());
    let member = tokens(&store).await;
    store.add_session(new_session("session", member, 0)).await.unwrap();
    store.add_authorization_code(new_code("never exchanged", member)).await.unwrap();
    for number in 1..=20 {
        let refresh = keeping("refresh 0", &format!("access {number}"), at(number));
        assert_eq!(store.refresh(refresh).await, REFRESHED);
    }
    let count = |table| db_count(folder.path(), table);
    assert_eq!(["authorization_code", "access_token", "session"].map(count), [1, 21, 2]);

    let mut number = 0;
    let mut add_session = async |now| {
        number += 1;
        let later = new_session(&format!("later {number}"), member, now);
        store.add_session(later).await.unwrap();
    };

    while count("authorization_code") + count("access_token") > 0 {
        add_session(DAY).await;
    }
    assert_eq!(["token_family", "refresh_token"].map(count), [1, 1]);

    while count("token_family") + count("refresh_token") > 0 {
        add_session(400 * DAY).await;
    }
    assert!(count("session") > 0, "what has not expired stays");
}

/// A thousand writes, some ten at a time as in a busy server.
#[tokio::test]
async fn the_log_is_short_again_after_much_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let store = sqlite(folder.path());
    let member = member(&store).await;
    let mut longest = 0;
    for round in 0..1_000 {
        let name = |number: u32| hash(&format!("session {number} of {round}"));
        let sessions = (0..10)
            .map(|number| NewSession { hash: name(number), ..new_session("session", member, 0) });
        let added = all_at_once(sessions.map(|session| store.add_session(session))).await;
        assert!(added.iter().all(Result::is_ok));
        let log = fs::metadata(folder.path().join("assay.db-wal")).unwrap().len();
        longest = longest.max(log);
    }

    // Without beginning anew, the log would hold all thousand commits: some forty megabytes.
    assert!(longest < 20_000_000, "{longest}");
}

#[tokio::test]
async fn expired_rows_are_found_without_a_look_at_all_others() {
    let folder = tempfile::tempdir().unwrap();
    drop(sqlite(folder.path()));
    let connection = Connection::open(folder.path().join("assay.db")).unwrap();

    for table in ["authorization_code", "access_token", "session", "token_family"] {
        let expired = format!("SELECT 1 FROM {table} WHERE expires_at <= 1 ORDER BY expires_at");
        let plan: String = connection
            .query_row(&format!("EXPLAIN QUERY PLAN {expired}"), [], |row| row.get(3))
            .unwrap();
        assert!(plan.contains(&format!("INDEX {table}_expires_at")), "{plan}");
    }
}

#[tokio::test]
async fn only_a_serving_process_deletes_old_audit_entries() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("assay.db");
    let passing_by = SqliteStore::open(&path).unwrap();
    let member = member(&passing_by).await;
    for number in 0..20 {
        let name = format!("session {number}");
        passing_by.add_session(new_session(&name, member, number)).await.unwrap();
    }
    passing_by.add_session(new_session("much later", member, 100 * DAY)).await.unwrap();
    let count = || db_count(folder.path(), "audit_entry");
    assert_eq!(count(), 22, "a command does not know for how long they are wanted");

    let serving = SqliteStore::open_to_serve(&path, keeping_a_month(Duration::ZERO)).unwrap();
    assert_eq!(serving.seal_audit_entries(at(100 * DAY)).await, Ok(false));
    let old = || {
        let connection = Connection::open(&path).unwrap();
        let count = "SELECT count(*) FROM audit_entry WHERE at < $1";
        let values = [at(100 * DAY).as_milliseconds()];
        connection.query_row(count, values, |row| row.get::<_, i64>(0)).unwrap()
    };
    let mut number = 0;
    while old() > 0 {
        number += 1;
        let name = format!("later session {number}");
        serving.add_session(new_session(&name, member, 100 * DAY)).await.unwrap();
    }
    assert_eq!(count(), 1 + number, "what is not old stays");
}

#[tokio::test]
async fn a_clock_that_is_ahead_for_a_moment_deletes_no_audit_entry_and_no_link() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("assay.db");
    let keeping = keeping_a_month(Duration::from_hours(1));
    let store = SqliteStore::open_to_serve(&path, keeping).unwrap();
    let member = member(&store).await;
    with_projects(&store).await;
    assert!(preview_links::add(&store, link("link", 0)).await);
    assert_eq!(store.seal_audit_entries(at(120)).await, Ok(false));
    let sealed = store.list_sealed_entries(0, 100).await.unwrap();

    for number in 0..2_000 {
        let name = format!("session {number}");
        store.add_session(new_session(&name, member, 400 * DAY)).await.unwrap();
    }

    assert_eq!(store.list_sealed_entries(0, 2).await.unwrap(), sealed[..2]);
    assert_eq!(db_count(folder.path(), "preview_link"), 1);
}

#[tokio::test]
async fn a_new_file_is_its_owners_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = sqlite(folder.path());
    store.is_writable().await.unwrap();

    for file in ["assay.db", "assay.db-wal", "assay.db-shm"] {
        let mode = fs::metadata(folder.path().join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
}

fn open_error(path: &Path) -> String {
    SqliteStore::open(path).err().unwrap().to_string()
}

#[test]
fn a_newer_schema_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    drop(sqlite(folder.path()));
    let path = folder.path().join("assay.db");
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 1_000).unwrap();

    let error = SqliteStore::open(&path).err().unwrap();

    assert!(matches!(error, OpenError::Newer { found: 1_000, .. }), "{error}");
}

#[test]
fn files_that_are_no_database_of_ours_are_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    fs::write(&text, "these are notes, and long enough to have a header of their own").unwrap();
    let foreign = folder.path().join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE a (b)").unwrap();
    let before = [&text, &foreign].map(|path| fs::read(path).unwrap());

    assert_eq!(open_error(&text), "it is not a SQLite database");
    assert_eq!(open_error(&foreign), "it is the database of another program");

    assert_eq!([&text, &foreign].map(|path| fs::read(path).unwrap()), before);
}

#[test]
fn a_path_that_cannot_be_a_file_is_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();

    for path in [folder.path().to_owned(), folder.path().join("missing/assay.db")] {
        let error = open_error(&path);
        assert!(!error.is_empty() && !error.contains('\n'), "{error}");
    }
}
