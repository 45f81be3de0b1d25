//! Databases on the PostgreSQL cluster that `.config/postgres.sh` starts before the tests that need it.

use secrecy::SecretString;
use storage::PostgresStore;
use tokio_postgres::{Client, NoTls};

/// Where the cluster listens on this machine alone.
const ADDRESS: &str = "ASSAY_TEST_POSTGRES";

/// What the script says about the cluster.
#[expect(clippy::disallowed_methods, reason = "nextest passes it on as an environment variable")]
pub(crate) fn variable(name: &str) -> String {
    std::env::var(name).expect("these tests need `cargo nextest`, which starts PostgreSQL for them")
}

/// An empty database.
pub(crate) struct Database {
    pub(crate) name: String,
}

impl Database {
    pub(crate) async fn new() -> Self {
        let server = connect(&format!("{}/postgres", variable(ADDRESS))).await;
        let name =
            server.query_one("SELECT 'test_' || replace(gen_random_uuid()::text, '-', '')", &[]);
        let name: String = name.await.unwrap().get(0);
        server.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
        Self { name }
    }

    pub(crate) fn address(&self) -> SecretString {
        format!("{}/{}", variable(ADDRESS), self.name).into()
    }

    /// Its address for those who come over the network and bring a password.
    pub(crate) fn address_over_network(&self, options: &str) -> SecretString {
        let server = variable("ASSAY_TEST_POSTGRES_OVER_NETWORK");
        format!("{server}/{}?{options}", self.name).into()
    }

    pub(crate) async fn store(&self) -> PostgresStore {
        PostgresStore::open(&self.address()).await.unwrap()
    }

    /// A connection past the store.
    pub(crate) async fn connect(&self) -> Client {
        connect(&format!("{}/{}", variable(ADDRESS), self.name)).await
    }
}

async fn connect(address: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}
