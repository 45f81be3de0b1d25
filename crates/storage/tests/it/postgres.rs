//! What is particular to the PostgreSQL adapter: the server, the schema, and several processes.

mod migrations;
mod other_processes;
mod poolers;
mod read_only;
mod rights;
mod silence;

use std::sync::Arc;
use std::time::{Duration, Instant};

use oauth::ScopeSet;
use secrecy::SecretString;
use storage::{
    AddCodeOutcome, AddSecretOutcome, AuditChainStore as _, AuthorizationCodeStore as _,
    ChangeRolesOutcome, ClientSecretStore as _, ClientStore as _, ExchangeCode, ExchangeOutcome,
    GrantStore as _, Obstacle, OpenError, PostgresStore, Refresh, RefreshOutcome, Revoke,
    RoleGrant, RoleStore, SessionStore as _,
};
use tokio_postgres::Client;

use crate::cluster::{Database, variable};
use crate::given::{
    ADDRESS, DAY, REFRESHED, all_at_once, at, by_command, client, client_id, code, exchange, hash,
    keeping, keeping_a_month, member, new_code, new_session, opens, rotating, secret, tokens,
};
use crate::roles::{change, member_with};

async fn open_error(address: SecretString) -> String {
    PostgresStore::open(&address).await.err().unwrap().to_string()
}

#[tokio::test]
async fn two_processes_share_a_database() {
    let database = Database::new().await;
    let (one, other) = (database.store().await, database.store().await);
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

    let count = |wanted: fn(&ExchangeOutcome) -> bool| {
        outcomes.iter().filter(|outcome| outcome.as_ref().is_ok_and(wanted)).count()
    };
    assert_eq!(count(|outcome| matches!(outcome, ExchangeOutcome::Exchanged(_))), 1);
    assert_eq!(count(|outcome| *outcome == ExchangeOutcome::AlreadyUsed), 11);
}

/// Whether the token opens nothing any more when it is used a second later, whatever it does until then.
async fn is_closed_within_a_second(store: &PostgresStore, token: &str) -> bool {
    let start = Instant::now();
    loop {
        let elapsed = start.elapsed();
        let is_closed = matches!(store.find_access_token(&hash(token), at(3)).await, Ok(None));
        if is_closed || elapsed >= Duration::from_secs(1) {
            return is_closed;
        }
        tokio::task::yield_now().await;
    }
}

/// Issues tokens until one is answered from memory: the process has begun to hear what others end. Of that one only the memory is
/// left.
async fn token_in_memory_only(store: &PostgresStore, outsider: &Client) -> String {
    for number in 1.. {
        let token = format!("access {number}");
        assert_eq!(store.refresh(keeping("refresh 0", &token, at(2))).await, REFRESHED);
        assert!(opens(store, &token).await);
        let bytes = hash(&token);
        let remove = "DELETE FROM access_token WHERE hash = $1";
        outsider.execute(remove, &[&bytes.as_bytes().as_slice()]).await.unwrap();
        if opens(store, &token).await {
            return token;
        }
    }
    unreachable!("it ends when the process hears")
}

#[tokio::test]
async fn what_one_process_ends_opens_nothing_in_another_from_then_on() {
    let database = Database::new().await;
    let (one, other) = (database.store().await, database.store().await);
    let outsider = database.connect().await;
    tokens(&one).await;
    token_in_memory_only(&other, &outsider).await;
    let revoke = |token: String| {
        one.revoke(Revoke {
            token: hash(&token),
            client_id: client_id("reports"),
            address: ADDRESS,
            now: at(3),
        })
    };

    for number in 0..300 {
        let token = format!("access of {number}");
        assert_eq!(one.refresh(keeping("refresh 0", &token, at(2))).await, REFRESHED);
        assert!(opens(&other, &token).await && opens(&other, &token).await);

        revoke(token.clone()).await.unwrap();

        assert!(!opens(&other, &token).await, "{number}");
    }
    assert!(opens(&other, "access 0").await);
    revoke("refresh 0".to_owned()).await.unwrap();
    assert!(!opens(&other, "access 0").await);
}

async fn ask_until_closed(store: Arc<PostgresStore>, token: String) {
    while opens(&*store, &token).await {}
}

/// Checks that are under way when something ends may share one question with those that begin after it; none that begins after it does.
#[tokio::test]
async fn what_has_ended_opens_nothing_however_many_ask() {
    let database = Database::new().await;
    let (one, other) = (database.store().await, Arc::new(database.store().await));
    tokens(&one).await;
    token_in_memory_only(&other, &database.connect().await).await;
    for number in 0..50 {
        let token = format!("access of {number}");
        assert_eq!(one.refresh(keeping("refresh 0", &token, at(2))).await, REFRESHED);
        let askers = (0..8).map(|_| tokio::spawn(ask_until_closed(other.clone(), token.clone())));
        let askers: Vec<_> = askers.collect();

        let revoke = Revoke {
            token: hash(&token),
            client_id: client_id("reports"),
            address: ADDRESS,
            now: at(3),
        };
        one.revoke(revoke).await.unwrap();

        assert!(!opens(&*other, &token).await, "{number}");
        for asker in askers {
            asker.await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_process_that_hears_nothing_relies_on_nothing_in_memory() {
    let database = Database::new().await;
    let outsider = database.connect().await;
    let store = database.store().await;
    tokens(&store).await;
    let token = token_in_memory_only(&store, &outsider).await;

    let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    outsider.execute(others, &[]).await.unwrap();

    assert!(is_closed_within_a_second(&store, &token).await);
    assert!(opens(&store, "access 0").await, "it goes on by asking the database");
    token_in_memory_only(&store, &outsider).await;
}

#[tokio::test]
async fn expired_rows_go_with_later_operations() {
    let database = Database::new().await;
    let store = database.store().await;
    let member = tokens(&store).await;
    for number in 1..=200 {
        let refresh = keeping("refresh 0", &format!("access {number}"), at(number));
        assert_eq!(store.refresh(refresh).await, REFRESHED);
    }
    let outsider = database.connect().await;
    let count = async |table: &str| -> i64 {
        let count = format!("SELECT count(*) FROM {table}");
        outsider.query_one(&count, &[]).await.unwrap().get(0)
    };
    assert_eq!(count("access_token").await, 201);

    let mut number = 0;
    while count("access_token").await + count("token_family").await > 0 {
        number += 1;
        let later = new_session(&number.to_string(), member, 400 * DAY);
        store.add_session(later).await.unwrap();
    }

    assert_eq!(count("refresh_token").await, 0);
    assert_eq!(count("session").await, number, "what has not expired stays");
}

/// Waits until this many operations wait for a lock.
pub(crate) async fn wait_for(operations: i64, watcher: &Client) {
    let waiting = "SELECT count(*) FROM pg_stat_activity \
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while watcher.query_one(waiting, &[]).await.unwrap().get::<_, i64>(0) < operations {}
}

/// Starts refreshes one after the other while another transaction locks the family, so that each has to wait for those before it;
/// tells what has become of each.
async fn refresh_in_turn(
    database: &Database,
    store: PostgresStore,
    refreshes: [Refresh; 2],
) -> [RefreshOutcome; 2] {
    let (store, outsider) = (Arc::new(store), database.connect().await);
    outsider.batch_execute("BEGIN; SELECT id FROM token_family FOR UPDATE").await.unwrap();
    let watcher = database.connect().await;
    let mut started = Vec::new();
    for refresh in refreshes {
        let store = Arc::clone(&store);
        started.push(tokio::spawn(async move { store.refresh(refresh).await.unwrap() }));
        wait_for(i64::try_from(started.len()).unwrap(), &watcher).await;
    }
    outsider.batch_execute("COMMIT").await.unwrap();
    let [second, first] = [started.pop().unwrap(), started.pop().unwrap()];
    [first.await.unwrap(), second.await.unwrap()]
}

#[tokio::test]
async fn a_refresh_that_waited_goes_by_what_the_other_has_left() {
    let refreshed = RefreshOutcome::Refreshed(ScopeSet::ALL);
    for (first, second, expected) in [
        // The answer with `1` counts as lost, and its token is replaced before a client uses it.
        (rotating("0", "1 again"), rotating("1", "2"), [refreshed, RefreshOutcome::Reused]),
        (rotating("1", "2"), rotating("0", "1 again"), [refreshed, RefreshOutcome::Reused]),
        (rotating("1", "2"), rotating("1", "2 again"), [refreshed, refreshed]),
    ] {
        let database = Database::new().await;
        let store = database.store().await;
        tokens(&store).await;
        assert_eq!(store.refresh(rotating("0", "1")).await, REFRESHED);

        assert_eq!(refresh_in_turn(&database, store, [first, second]).await, expected);
    }
}

#[tokio::test]
async fn a_code_that_is_kept_again_while_it_is_spent_stays_spent() {
    let database = Database::new().await;
    let store = Arc::new(database.store().await);
    let member = code(&*store).await;
    let (outsider, watcher) = (database.connect().await, database.connect().await);
    outsider.batch_execute("BEGIN; SELECT hash FROM authorization_code FOR UPDATE").await.unwrap();

    let first = Arc::clone(&store);
    let first = tokio::spawn(async move { first.exchange_code(exchange()).await });
    wait_for(1, &watcher).await;
    let again = Arc::clone(&store);
    let again =
        tokio::spawn(async move { again.add_authorization_code(new_code("code", member)).await });
    wait_for(2, &watcher).await;
    outsider.batch_execute("COMMIT").await.unwrap();
    let (first, again) = (first.await.unwrap(), again.await.unwrap());
    let later = store.exchange_code(exchange()).await;

    assert_eq!(
        (first, again),
        (Ok(ExchangeOutcome::Exchanged(ScopeSet::ALL)), Ok(AddCodeOutcome::Kept))
    );
    assert_eq!(later, Ok(ExchangeOutcome::AlreadyUsed));
    assert!(!opens(&*store, "access 0").await, "as after every replay");
}

#[tokio::test]
async fn only_a_serving_process_deletes_old_audit_entries() {
    let database = Database::new().await;
    let passing_by = database.store().await;
    let member = member(&passing_by).await;
    let outsider = database.connect().await;
    let old = async || -> i64 {
        let count = "SELECT count(*) FROM audit_entry WHERE at < 1805000000000";
        outsider.query_one(count, &[]).await.unwrap().get(0)
    };
    for number in 0..70 {
        let later = new_session(&format!("{number} passing by"), member, 100 * DAY);
        passing_by.add_session(later).await.unwrap();
    }
    assert_eq!(old().await, 1, "a command does not know for how long they are wanted");

    let believing = keeping_a_month(Duration::ZERO);
    let serving = PostgresStore::open_to_serve(&database.address(), believing).await.unwrap();
    assert_eq!(serving.seal_audit_entries(at(100 * DAY)).await, Ok(false));
    assert_eq!(old().await, 0);
}

#[tokio::test]
async fn a_clock_that_is_ahead_for_a_moment_deletes_no_audit_entry() {
    let database = Database::new().await;
    let keeping = keeping_a_month(Duration::from_hours(1));
    let store = PostgresStore::open_to_serve(&database.address(), keeping).await.unwrap();
    let member = member(&store).await;
    assert_eq!(store.seal_audit_entries(at(120)).await, Ok(false));
    let sealed = store.list_sealed_entries(0, 100).await.unwrap();

    for number in 0..70 {
        let later = new_session(&format!("session {number}"), member, 400 * DAY);
        store.add_session(later).await.unwrap();
    }
    assert_eq!(store.seal_audit_entries(at(400 * DAY)).await, Ok(false));

    assert_eq!(store.list_sealed_entries(0, 1).await.unwrap(), sealed[..1]);
}

#[tokio::test]
async fn of_twelve_secrets_at_once_one_is_added() {
    let database = Database::new().await;
    let store = database.store().await;
    store.add_client(client("reports"), by_command(0)).await.unwrap();
    let reports = client_id("reports");
    let secrets: Vec<_> = (0..12).map(|number| secret(&format!("secret {number}"))).collect();

    let outcomes = all_at_once(
        secrets.into_iter().map(|secret| store.add_client_secret(&reports, secret, by_command(1))),
    )
    .await;

    let added = outcomes.iter().filter(|outcome| **outcome == Ok(AddSecretOutcome::Added)).count();
    let refused = outcomes.iter().filter(|outcome| **outcome == Ok(AddSecretOutcome::TooMany));
    assert_eq!((added, refused.count()), (1, 11));
}

#[tokio::test]
async fn an_application_that_is_disabled_by_another_process_stops_within_a_second() {
    let database = Database::new().await;
    let (store, other) = (database.store().await, database.store().await);
    tokens(&store).await;
    assert!(opens(&store, "access 0").await);

    other.disable_client(&client_id("reports"), by_command(2)).await.unwrap();

    assert!(is_closed_within_a_second(&store, "access 0").await);
}

#[tokio::test]
async fn roles_that_another_process_changes_count_within_a_second() {
    let database = Database::new().await;
    let (store, other) = (database.store().await, database.store().await);
    tokens(&store).await;
    member_with(&store, "bob", &[RoleGrant::OWNER]).await;
    let cem = member_with(&store, "cem", &[RoleGrant::OWNER]).await;
    let outsider = database.connect().await;
    token_in_memory_only(&store, &outsider).await;
    let roles = async || store.find_roles(cem, at(3)).await.unwrap().to_vec();
    assert_eq!(roles().await, [RoleGrant::OWNER]);
    outsider.execute("UPDATE member_role SET code = 0", &[]).await.unwrap();
    assert_eq!(roles().await, [RoleGrant::OWNER], "they are answered from memory");
    outsider.execute("UPDATE member_role SET code = 1", &[]).await.unwrap();

    let lowered = change(cem, &[RoleGrant::OWNER], Some(&[]));
    assert_eq!(other.change_roles(lowered).await, Ok(ChangeRolesOutcome::Changed));

    let start = Instant::now();
    let mut asked = start;
    while !roles().await.is_empty() {
        assert!(asked - start < Duration::from_secs(1));
        asked = Instant::now();
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn processes_that_start_at_once_agree_on_the_schema() {
    let database = Database::new().await;
    let address = database.address();

    let opened = all_at_once((0..6).map(|_| PostgresStore::open(&address))).await;

    assert!(opened.iter().all(Result::is_ok));
    tokens(opened[0].as_ref().unwrap()).await;
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let database = Database::new().await;
    database.store().await;
    database.connect().await.batch_execute("UPDATE assay_schema SET version = 1000").await.unwrap();

    let error = PostgresStore::open(&database.address()).await.err().unwrap();

    assert!(matches!(error, OpenError::Newer { found: 1_000, .. }), "{error}");
}

#[tokio::test]
async fn a_database_of_another_program_is_left_as_it_is() {
    let database = Database::new().await;
    let outsider = database.connect().await;
    outsider.batch_execute("CREATE TABLE invoice (id BIGINT)").await.unwrap();

    assert_eq!(open_error(database.address()).await, "it is the database of another program");

    let tables = outsider.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", &[]);
    assert_eq!(tables.await.unwrap().len(), 1);
}

#[tokio::test]
async fn the_password_is_proved_and_never_told() {
    let database = Database::new().await;
    let right = database.address_over_network("");
    PostgresStore::open(&right).await.unwrap();

    let server = variable("ASSAY_TEST_POSTGRES_OVER_NETWORK");
    let wrong = server.replace("assay-tests", "hunter2");
    let error = open_error(format!("{wrong}/{}", database.name).into()).await;

    assert_eq!(error, "password authentication failed for user \"assay\"");
}

#[tokio::test]
async fn what_is_in_the_way_of_a_connection_is_known() {
    let server = variable("ASSAY_TEST_POSTGRES_OVER_NETWORK");
    let wrong = server.replace("assay-tests", "hunter2");
    for (address, expected) in [
        ("postgres://ann:hunter2@127.0.0.1:1/assay".to_owned(), Obstacle::NoServer),
        (format!("{wrong}/postgres"), Obstacle::Credentials),
        (format!("{server}/elsewhere"), Obstacle::NoDatabase),
        (format!("{server}/postgres?sslmode=verify-full"), Obstacle::Certificate),
    ] {
        let error = PostgresStore::check_sessions(&address.into()).await.unwrap_err();

        let is_known =
            matches!(&error, OpenError::Refused { obstacle, .. } if *obstacle == expected);
        assert!(is_known, "{error}");
    }
}

#[tokio::test]
async fn a_connection_is_as_protected_as_the_address_says() {
    let database = Database::new().await;
    let certificate = variable("ASSAY_TEST_POSTGRES_CERTIFICATE");
    let trusting = format!("sslmode=verify-full&sslrootcert={certificate}");
    for options in ["sslmode=require", "sslmode=prefer", "sslmode=disable", &trusting] {
        PostgresStore::open(&database.address_over_network(options)).await.unwrap();
    }

    // No authority of this machine has signed the certificate.
    let error = open_error(database.address_over_network("sslmode=verify-full")).await;
    assert!(error.contains("certificate"), "{error}");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_told_in_one_line() {
    let nowhere = SecretString::from("postgres://ann:hunter2@127.0.0.1:1/assay");

    let error = open_error(nowhere).await;

    assert!(error.contains("refused") && !error.contains("hunter2"), "{error}");
    assert!(!error.contains('\n'), "{error}");
}
