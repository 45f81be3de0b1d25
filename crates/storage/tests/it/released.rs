//! Stores of every schema there ever was, opened by today's code: what was there is still there, and right.
//!
//! `tests/released/` has a text for each schema that fills a store as its release would have left it. A step of the schema without
//! such a text fails here. That released steps stay as they were is the business of `cargo xtask tidy`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use domain::ProjectId;
use oauth::{ScopeSet, SigningKey};
use rusqlite::Connection;
use storage::{
    ChainCheck, ExchangeOutcome, FoundSchema, KeyLease, KeyUse, KeyedRequest, KnownKey, ListRange,
    ManagedBy, OpenError, PostgresStore, RefreshOutcome, Role, SqliteStore, Store, WhichProjects,
};

use crate::api_tokens::EVERY;
use crate::audit_chain::chain;
use crate::cluster::Database;
use crate::given::{DAY, at, client_id, exchange, hash, keeping};

const MARK_OF_FILE: i32 = 0x4173_7361;

const MARK_OF_DATABASE: &str = "CREATE TABLE assay_schema (version BIGINT NOT NULL)";

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The texts in a folder by their numbers, in order.
fn texts(path: &str) -> Vec<(usize, String)> {
    let names = fs::read_dir(folder(path)).unwrap().map(|file| file.unwrap().file_name());
    let names: BTreeSet<String> = names.map(|name| name.into_string().unwrap()).collect();
    let read = |name: String| {
        let text = fs::read_to_string(folder(path).join(&name)).unwrap();
        (name[..4].parse().unwrap(), text)
    };
    names.into_iter().map(read).collect()
}

/// The schemas of which there is a store, with what fills it.
pub(crate) fn released() -> Vec<(usize, String)> {
    texts("tests/released")
}

/// The steps that lead to a schema.
fn steps(database: &str, schema: usize) -> Vec<String> {
    let steps = texts(&format!("migrations/{database}")).into_iter();
    steps.filter(|(number, _)| *number <= schema).map(|(_, text)| text).collect()
}

/// A file of this schema.
pub(crate) fn file(path: &Path, schema: usize, content: &str) -> Connection {
    let database = Connection::open(path).unwrap();
    let steps = steps("sqlite", schema);
    for step in &steps {
        database.execute_batch(step).unwrap();
    }
    database.pragma_update(None, "application_id", MARK_OF_FILE).unwrap();
    let version = i64::try_from(steps.len()).unwrap();
    database.pragma_update(None, "user_version", version).unwrap();
    database.execute_batch(content).unwrap();
    database
}

/// A database of this schema.
pub(crate) async fn database(schema: usize, content: &str) -> Database {
    let database = Database::new().await;
    let outsider = database.connect().await;
    let steps = steps("postgres", schema);
    for step in &steps {
        outsider.batch_execute(step).await.unwrap();
    }
    outsider.batch_execute(MARK_OF_DATABASE).await.unwrap();
    let version = format!("INSERT INTO assay_schema (version) VALUES ({})", steps.len());
    outsider.batch_execute(&version).await.unwrap();
    outsider.batch_execute(&content.replace("X'", "'\\x")).await.unwrap();
    database
}

#[test]
fn every_schema_has_its_store() {
    let numbers = |path| texts(path).into_iter().map(|(number, _)| number).collect::<Vec<_>>();

    let released = numbers("tests/released");

    for migrations in ["migrations/sqlite", "migrations/postgres"] {
        let migrations = numbers(migrations);
        assert_eq!(migrations, released, "a step lacks its text in tests/released");
    }
}

#[tokio::test]
async fn a_file_of_every_schema_is_opened_with_all_that_is_in_it() {
    for (schema, content) in released() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assay.db");
        drop(file(&path, schema, &content));

        let store = SqliteStore::open(&path).unwrap();

        everything_is_there(&store, schema).await;
    }
}

#[tokio::test]
async fn a_postgres_database_of_every_schema_is_opened_with_all_that_is_in_it() {
    for (schema, content) in released() {
        let database = database(schema, &content).await;

        let store = PostgresStore::open(&database.address()).await.unwrap();

        everything_is_there(&store, schema).await;
    }
}

/// What opening a database of this schema would do.
fn found(schema: usize) -> FoundSchema {
    let (found, known) = (u32::try_from(schema).unwrap(), released().len().try_into().unwrap());
    if found == known { FoundSchema::Current } else { FoundSchema::Older { found, known } }
}

#[test]
fn the_schema_of_a_file_is_found_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (schema, content) in released() {
        let path = path(&format!("{schema}.db"));
        drop(file(&path, schema, &content));
        let before = fs::read(&path).unwrap();

        assert_eq!(SqliteStore::find_schema(&path).unwrap(), found(schema));

        assert!(fs::read(&path).unwrap() == before, "schema {schema}");
    }
    fs::write(path("empty.db"), "").unwrap();
    let newer = file(&path("newer.db"), 1, "");
    newer.pragma_update(None, "user_version", 1_000).unwrap();

    assert_eq!(SqliteStore::find_schema(&path("empty.db")).unwrap(), FoundSchema::Empty);
    let newer = SqliteStore::find_schema(&path("newer.db"));
    assert!(matches!(newer, Err(OpenError::Newer { found: 1_000, .. })), "{newer:?}");
    assert!(SqliteStore::find_schema(&path("nowhere.db")).is_err());
    assert!(!path("nowhere.db").exists());
}

#[tokio::test]
async fn the_schema_of_a_postgres_database_is_found_and_stays_as_it_is() {
    const TABLES: &str = "SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public'";
    const VERSION: &str = "SELECT version FROM assay_schema";
    let (latest, content) = released().pop().unwrap();
    let older = database(latest - 1, "").await;
    let empty = Database::new().await;
    let newer = database(1, "").await;
    let put = "UPDATE assay_schema SET version = 1000";
    newer.connect().await.batch_execute(put).await.unwrap();

    let of = async |database: &Database| PostgresStore::find_schema(&database.address()).await;

    assert_eq!(of(&older).await.unwrap(), found(latest - 1));
    assert_eq!(of(&database(latest, &content).await).await.unwrap(), FoundSchema::Current);
    assert_eq!(of(&empty).await.unwrap(), FoundSchema::Empty);
    let newer = of(&newer).await;
    assert!(matches!(newer, Err(OpenError::Newer { found: 1_000, .. })), "{newer:?}");
    let version: i64 = older.connect().await.query_one(VERSION, &[]).await.unwrap().get(0);
    assert_eq!(version, i64::try_from(latest - 1).unwrap());
    let tables: i64 = empty.connect().await.query_one(TABLES, &[]).await.unwrap().get(0);
    assert_eq!(tables, 0);
}

pub(crate) async fn everything_is_there(store: &dyn Store, schema: usize) {
    members_and_sessions_are_there(store, schema).await;
    applications_are_there(store).await;
    grants_go_on(store).await;
    projects_are_live(store, schema).await;
    members_have_their_roles(store, schema).await;
    if schema >= 2 {
        let key = store
            .find_or_add_signing_key(KeyUse::Lasting, SigningKey::from_bytes([9; 32]))
            .await
            .unwrap();
        assert_eq!(key.as_bytes(), &[7; 32]);
    }
    if schema >= 4 {
        the_log_is_there(store).await;
    }
    if schema >= 5 {
        let passkey = store.find_passkey(&[1, 2, 3]).await.unwrap().unwrap();
        assert_eq!(passkey.member.email, "ann@example.com");
        assert_eq!(passkey.credential, r#"{"counter":3}"#);
    }
    an_answer_is_given_again(store, schema).await;
    if schema >= 8 {
        let next = store.next_moment().await.unwrap().unwrap();
        assert_eq!(next.due_at.as_milliseconds(), 1_900_000_000_000);
    }
    if schema >= 12 {
        let page = ListRange { page: 1, per_page: 9 };
        let shop = ProjectId::new(1000).unwrap();
        let (history, _) = store.list_resource_changes(shop, "page 2001", page).await.unwrap();
        assert_eq!((history.len(), &*history[0].by), (2, "ann@example.com"));
        assert_eq!(store.find_draft(shop).await.unwrap().unwrap().stamps.len(), 2);
    }
    if schema >= 14 {
        let tokens =
            store.list_api_tokens(EVERY, ListRange { page: 1, per_page: 9 }).await.unwrap();
        assert_eq!((tokens.len(), &*tokens[0].holder_name), (1, "deploy"));
        assert!(tokens[0].is_service);
    }
    if schema >= 15 {
        let sites = store.list_installations(ProjectId::new(1000).unwrap()).await.unwrap();
        assert_eq!((sites.len(), &*sites[0].origin), (1, "https://shop.example"));
    }
    if schema >= 19 {
        let shop = ProjectId::new(1000).unwrap();
        let logged = store.list_logged_events(shop, 0, 1_000).await.unwrap();
        assert_eq!((logged.len(), &*logged[0].body), (1, &b"[]"[..]));
    }
    if schema >= 20 {
        let files = store.list_event_files(ProjectId::new(1000).unwrap()).await.unwrap();
        assert_eq!((files.len(), files[0].events, files[0].day), (1, 3, 20_833));
    }
    if schema >= 22 {
        let key = store.find_events_key(ProjectId::new(1000).unwrap()).await.unwrap();
        assert_eq!(key.unwrap().key, "assay_ek_one");
    }
    if schema >= 24 {
        let waiting = store.find_webhook_delivery("aa11", "msg_1").await.unwrap().unwrap();
        assert_eq!((waiting.attempts, waiting.last.unwrap().status), (1, Some(500)));
        assert_eq!(store.find_webhook("aa11").await.unwrap().unwrap().events, ["campaign.started"]);
    }
    if schema >= 26 {
        let waiting = store.find_webhook_delivery("aa11", "msg_1").await.unwrap().unwrap();
        assert_eq!(waiting.earlier[0].answer, "no answer in time");
    }
    if schema >= 25 {
        let source = store.find_draft_source(ProjectId::new(1000).unwrap()).await.unwrap();
        assert_eq!(source.unwrap().text, "# The shop\nversion: 1 # É\n");
    }
}

async fn an_answer_is_given_again(store: &dyn Store, schema: usize) {
    if schema < 6 {
        return;
    }
    let (key, request) = (*hash("request").as_bytes(), *hash("body").as_bytes());
    let lease = KeyLease { key, request, number: 1 };
    let repeated = KeyedRequest { lease, now: at(0), given_up_at: at(60) };
    assert_eq!(store.take_key(repeated).await, Ok(KnownKey::Answered("{}".to_owned())));
}

async fn members_and_sessions_are_there(store: &dyn Store, schema: usize) {
    let ann = store.find_member_by_email("ann@example.com").await.unwrap().unwrap();
    assert_eq!(ann.password_hash, "$argon2id$ann");
    let bob = store.find_member_by_email("bob@example.com").await.unwrap().unwrap();
    assert!(bob.id != ann.id && store.lookup_member(bob.id).await.unwrap().is_some());
    let session = store.find_session(&hash("session"), at(0)).await.unwrap().unwrap();
    assert_eq!(session.member.id, ann.id);
    let sessions = store.list_sessions(ann.id, at(0)).await.unwrap();
    assert_eq!(sessions.len(), 1, "schema {schema}");
    assert!(store.end_session(ann.id, &sessions[0].id, crate::given::by_member(0)).await.unwrap());
}

async fn applications_are_there(store: &dyn Store) {
    let reports = store.lookup_client(&client_id("reports")).await.unwrap().unwrap();
    assert_eq!(reports.name, "The reports");
    let has = |text: &str| reports.secrets.iter().any(|secret| secret.hash == hash(text));
    assert!(reports.secrets.len() == 2 && has("secret") && has("second"));
    let phone = store.lookup_client(&client_id("phone")).await.unwrap().unwrap();
    assert_eq!((phone.secrets.len(), phone.disabled_at), (0, None));
}

/// Tokens open, refresh tokens refresh, codes are exchanged, and what had ended stays so.
async fn grants_go_on(store: &dyn Store) {
    let ann = store.find_member_by_email("ann@example.com").await.unwrap().unwrap().id;
    let scope = ScopeSet::parse("config:read audit:read").unwrap();
    assert_eq!(store.find_consent(ann, &client_id("reports")).await, Ok(Some(scope)));
    let grant = store.find_access_token(&hash("old access"), at(0)).await.unwrap().unwrap();
    assert_eq!((grant.member, grant.scope), (ann, scope));
    assert!(store.find_access_token(&hash("ended access"), at(0)).await.unwrap().is_none());

    let refreshed = store.refresh(keeping("old refresh", "new access", at(2))).await;
    assert_eq!(refreshed, Ok(RefreshOutcome::Refreshed(scope)));
    let exchanged = store.exchange_code(exchange()).await;
    let code_scope = ScopeSet::parse("config:read").unwrap();
    assert_eq!(exchanged, Ok(ExchangeOutcome::Exchanged(code_scope)));
    let again = store.exchange_code(exchange()).await;
    assert_eq!(again, Ok(ExchangeOutcome::AlreadyUsed));
    let ended = store.refresh(keeping("ended refresh", "x", at(2))).await;
    assert!(!matches!(ended, Ok(RefreshOutcome::Refreshed(_))));
}

async fn projects_are_live(store: &dyn Store, schema: usize) {
    let shop = ProjectId::new(1000).unwrap();
    let deleted = ProjectId::new(1002).unwrap();
    assert_eq!(store.was_deleted(deleted, at(0)).await, Ok(schema >= 28));
    let live = store.live_revision(shop).await.unwrap().unwrap();
    assert_eq!((live.number, live.javascript.as_str()), (2, "second();"));
    assert_eq!(live.document, r#"{"key":"shop","name":"The shop"}"#);
    assert_eq!((live.brotli, live.gzip), (vec![0, 2, 255], vec![31, 139]));
    assert_eq!(live.author, "ann@example.com");
    assert_eq!(live.message, "Größer");
    assert!(store.find_snippet(shop, "aaaa").await.unwrap().is_some());
    let first = store.lookup_revision(shop, 1).await.unwrap().unwrap();
    assert_eq!((first.number, first.message.as_str()), (1, "It's the first"));
    let page = ListRange { page: 1, per_page: 10 };
    let projects = store.list_projects(WhichProjects::Current, page).await.unwrap();
    let told: Vec<_> =
        projects.iter().map(|project| (&*project.key, project.head.live_revision)).collect();
    assert_eq!(told, [("shop", Some(2)), ("blog", Some(1))]);
    let draft = store.find_draft(shop).await.unwrap().unwrap();
    let name = if schema < 6 { "The shop" } else { "The new shop" };
    assert_eq!(draft.document, format!(r#"{{"key":"shop","name":"{name}"}}"#));
    assert_eq!(draft.head.draft_version, if schema < 6 { 1 } else { 5 });
    assert_eq!(draft.head.managed_by, ManagedBy::Store);
}

/// Who was a member before there were roles owns the server.
async fn members_have_their_roles(store: &dyn Store, schema: usize) {
    let roles = async |email| {
        let member = store.find_member_by_email(email).await.unwrap().unwrap();
        let roles = store.find_roles(member.id, at(0)).await.unwrap();
        roles.iter().map(|grant| (grant.project, grant.role)).collect::<Vec<_>>()
    };
    assert_eq!(roles("ann@example.com").await, [(None, Role::Owner)]);
    let shop = ProjectId::new(1000);
    let of_bob = if schema < 7 { (None, Role::Owner) } else { (shop, Role::Viewer) };
    assert_eq!(roles("bob@example.com").await, [of_bob]);
}

async fn the_log_is_there(store: &dyn Store) {
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 100 }).await.unwrap();
    let oldest: Vec<_> = log.iter().rev().take(3).collect();
    let told: Vec<_> = oldest.iter().map(|entry| (entry.event.as_str(), entry.count)).collect();
    let expected = [("session.started", 1), ("client.refused", 12), ("application.removed", 1)];
    assert_eq!(told, expected);
    assert_eq!(oldest[2].detail.as_deref(), Some("The \"gone\" one"));
    while store.seal_audit_entries(at(DAY)).await.unwrap() {}
    let mut check = ChainCheck::new(None);
    chain(store).await.iter().try_for_each(|entry| check.take(entry)).unwrap();
    assert_eq!(check.finish().unwrap().0, u64::try_from(log.len()).unwrap());
}

/// What stands in the way of the last step of the schema, which makes another table first.
const IN_THE_WAY: &str = "CREATE TABLE spent_challenge (id BIGINT)";

/// The schema before that step, and the table that it makes first.
const BEFORE: (usize, &str) = (4, "passkey");

#[test]
fn a_step_that_fails_leaves_the_file_as_it_was() {
    let (schema, table) = BEFORE;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("assay.db");
    let outsider = file(&path, schema, &released()[schema - 1].1);
    outsider.execute_batch(IN_THE_WAY).unwrap();

    let error = SqliteStore::open(&path).err().unwrap();

    assert!(matches!(error, OpenError::Engine(_)), "{error}");
    let version: i64 = outsider.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    let tables = "SELECT count(*) FROM sqlite_schema WHERE name = ?1";
    let made: i64 = outsider.query_row(tables, [table], |row| row.get(0)).unwrap();
    assert_eq!((usize::try_from(version), made), (Ok(schema), 0));
    outsider.execute_batch("DROP TABLE spent_challenge").unwrap();
    SqliteStore::open(&path).unwrap();
}

#[tokio::test]
async fn a_step_that_fails_leaves_the_postgres_database_as_it_was() {
    let (schema, table) = BEFORE;
    let database = database(schema, &released()[schema - 1].1).await;
    let outsider = database.connect().await;
    outsider.batch_execute(IN_THE_WAY).await.unwrap();

    let error = PostgresStore::open(&database.address()).await.err().unwrap();

    assert!(matches!(error, OpenError::Engine(_)), "{error}");
    let version: i64 =
        outsider.query_one("SELECT version FROM assay_schema", &[]).await.unwrap().get(0);
    let tables = "SELECT count(*) FROM pg_tables WHERE tablename = $1";
    let made: i64 = outsider.query_one(tables, &[&table]).await.unwrap().get(0);
    assert_eq!((usize::try_from(version), made), (Ok(schema), 0));
    outsider.batch_execute("DROP TABLE spent_challenge").await.unwrap();
    PostgresStore::open(&database.address()).await.unwrap();
}
