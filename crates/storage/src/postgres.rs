//! The store for several processes: a PostgreSQL database, and connections to it that each do one operation at a time.
//!
//! An exchange and a refresh are one statement (`statements/`); the second of two waits for the row that the first has
//! changed, and then finds it changed. Each other file below does what its name says.

mod access;
mod access_tokens;
mod api_tokens;
mod audit;
mod audit_chain;
mod authority;
mod authorization_codes;
mod backup;
mod cleaning;
mod client_secrets;
mod clients;
mod connections;
mod consents;
mod counts;
mod deleted_projects;
mod draft_sources;
mod echo;
mod errors;
mod events;
mod events_keys;
mod grants;
mod idempotency;
mod identities;
mod installations;
mod invitations;
mod listener;
mod live;
mod members;
mod newest_moment;
mod passkeys;
mod preview_links;
mod projects;
mod query;
mod refresh_tokens;
mod resource_changes;
mod restore;
mod results_links;
mod revisions;
mod rights;
mod roles;
mod schedules;
mod schema;
mod sessions;
mod signing_key;
mod statements;
mod tls;
mod url;
mod webhooks;

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use oauth::{SigningKey, Timestamp};
use secrecy::SecretString;

use crate::access_cache::AccessCache;
use crate::cache_epochs::CacheEpoch;
use crate::invalidation::Change;
use crate::live_numbers::LiveNumbers;
use crate::{AuditKeeping, DatabaseLoad, FoundSchema, KeyUse, OpenError, StorageError, Store};
use cleaning::Cleaning;
use connections::{Connection, Connections};
use listener::{Caches, Listener};
use statements::transactions::{DATABASE_TIME, TOUCH_SCHEMA};

/// How often an exchange or a refresh is tried anew when something got in its way that cannot do so for ever, such as its client
/// being removed at this moment.
const TRIES: usize = 3;

/// A store in a PostgreSQL database. Several processes may have it open.
pub struct PostgresStore {
    connections: Connections,
    cache: Arc<AccessCache>,
    live: Arc<LiveNumbers>,
    /// Starts with the first request that the cache may answer: commands without one need not listen.
    listener: OnceLock<Listener>,
    cleaning: Arc<Cleaning>,
}

impl PostgresStore {
    /// Connects to the database at `address`, and brings its schema up to date: `postgres://user:password@host:port/database`, with
    /// the options that `libpq` knows.
    ///
    /// # Errors
    /// If that is impossible; the database is then as it was. Nothing of the address is in the error.
    pub async fn open(address: &SecretString) -> Result<Self, OpenError> {
        Self::open_with(address, Cleaning::default()).await
    }

    /// The same for a server, which has to hear what others end, and also deletes entries of the audit log that are older than that. A command
    /// keeps all: it does not know for how long they are wanted.
    ///
    /// # Errors
    /// See [`PostgresStore::open`] and [`PostgresStore::check_sessions`].
    pub async fn open_to_serve(
        address: &SecretString,
        audit: AuditKeeping,
    ) -> Result<Self, OpenError> {
        Self::check_sessions(address).await?;
        Self::open_with(address, Cleaning::new(audit)).await
    }

    /// Makes sure that a process hears on one connection to the database at `address` what is told on another one, as it does not through a
    /// pooler that keeps no sessions. The database stays as it is.
    ///
    /// # Errors
    /// If it does not, or there is no connection.
    pub async fn check_sessions(address: &SecretString) -> Result<(), OpenError> {
        let connections = Connections::new(address)?;
        // Who cannot connect at all is told why.
        drop(connections.open().await?);
        listener::check(&connections).await
    }

    /// Finds the schema of the database at `address`, which stays as it is.
    ///
    /// # Errors
    /// If the server does not answer, or the database is not ours or was made by a newer Assay.
    pub async fn find_schema(address: &SecretString) -> Result<FoundSchema, OpenError> {
        schema::find(&mut Connections::new(address)?.open().await?).await
    }

    /// Makes sure that a server could open the database at `address`, of which this schema was found. The database stays as it is.
    ///
    /// # Errors
    /// If the server does not answer, or the user lacks a right.
    pub async fn check_rights(
        address: &SecretString,
        schema: FoundSchema,
    ) -> Result<(), OpenError> {
        rights::check(&Connections::new(address)?.open().await?, schema).await
    }

    async fn open_with(address: &SecretString, cleaning: Cleaning) -> Result<Self, OpenError> {
        let connections = Connections::new(address)?;
        schema::migrate(&connections).await?;
        Ok(Self {
            connections,
            cache: Arc::default(),
            live: Arc::default(),
            listener: OnceLock::new(),
            cleaning: Arc::new(cleaning),
        })
    }

    /// Receives the notifications of other processes.
    fn listener(&self) -> &Listener {
        self.listener.get_or_init(|| {
            let (access, live) = (Arc::clone(&self.cache), Arc::clone(&self.live));
            self.connections.listen(Caches { access, live })
        })
    }

    /// Brings the cache up to date with what an operation changed that began at `epoch`, before it is answered.
    fn answer<T>(&self, epoch: CacheEpoch, (answer, change): (T, Change)) -> T {
        self.cache.apply(epoch, change);
        answer
    }

    /// Deletes some expired rows now and then, on the connection of an operation that has added one. No request waits for that.
    fn clean(&self, connection: Connection, present: Timestamp) {
        self.clean_after(1, connection, present);
    }

    /// The same after an operation that may add several rows to a table, [`cleaning::EVERY`] at most.
    fn clean_after(&self, added: usize, connection: Connection, present: Timestamp) {
        let added = i64::try_from(added).unwrap_or(cleaning::EVERY);
        let Some(turn) = self.cleaning.turn_after(added) else { return };
        let steady_for = self.cleaning.clock_steady_for(present);
        tokio::spawn(async move {
            let _turn = turn;
            let deleted = cleaning::delete_expired(&connection.database, present, steady_for).await;
            if let Err(error) = deleted {
                tracing::warn!("expired rows could not be deleted: {error}");
            }
        });
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn find_or_add_signing_key(
        &self,
        key_use: KeyUse,
        new: SigningKey,
    ) -> Result<SigningKey, StorageError> {
        let connection = self.connections.get().await?;
        signing_key::find_or_add(&connection.database, key_use, &new).await
    }

    async fn newest_moment(&self) -> Result<Option<Timestamp>, StorageError> {
        newest_moment::find(&self.connections.get().await?.database).await
    }

    async fn database_time(&self) -> Result<Option<Timestamp>, StorageError> {
        let connection = self.connections.get().await?;
        let row = query::query_one(&connection.database, DATABASE_TIME, &[]).await?;
        Ok(Some(Timestamp::from_milliseconds(row.try_get(0)?)))
    }

    fn load(&self) -> DatabaseLoad {
        self.connections.load()
    }

    async fn is_writable(&self) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        query::execute(&connection.database, TOUCH_SCHEMA, &[]).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use tokio_postgres::NoTls;

    use super::{PostgresStore, statements};
    use crate::statements::all;

    /// An empty database on the cluster that nextest starts before the tests that need it.
    #[expect(clippy::disallowed_methods, reason = "nextest passes the address on in this way")]
    async fn database() -> String {
        let cluster = std::env::var("ASSAY_TEST_POSTGRES").expect("cargo nextest sets it");
        let address = format!("{cluster}/postgres");
        let (server, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
        tokio::spawn(connection);
        server.batch_execute("CREATE DATABASE statements").await.unwrap();
        format!("{cluster}/statements")
    }

    #[tokio::test]
    async fn every_statement_can_be_prepared_on_postgres() {
        let store = PostgresStore::open(&database().await.into()).await.unwrap();
        let connection = store.connections.get().await.unwrap();

        for (_, text) in [all(), statements::all()].concat() {
            let prepared = connection.database.prepare(text).await;
            assert!(prepared.is_ok(), "{:?} in {text}", prepared.err());
        }
    }
}
