//! What is particular to the PostgreSQL adapter: the server, the schema, and several processes.

use secrecy::SecretString;
use storage::{ExchangeCode, ExchangeOutcome, OpenError, PostgresStore, Store};

use crate::cluster::{Database, variable};
use crate::given::{all_at_once, code, exchange, hash, tokens};

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
