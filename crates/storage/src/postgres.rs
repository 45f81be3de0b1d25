//! The store for several processes: a PostgreSQL database, and connections to it that each do one operation at a time.
//!
//! An exchange and a refresh are one statement (`postgres/statements.rs`); who comes second waits for the row that the first has
//! changed, and then finds it changed. Each other file below does what its name says.

mod access_tokens;
mod authorization_codes;
mod cleaning;
mod clients;
mod connections;
mod errors;
mod listener;
mod members;
mod query;
mod refresh_tokens;
mod revisions;
mod schema;
mod signing_key;
mod statements;
mod tls;
mod token_families;
mod url;

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use domain::ProjectId;
use oauth::{Client, ClientId, CredentialHash, ScopeSet, SigningKey, Timestamp};
use secrecy::SecretString;

use crate::known_tokens::KnownTokens;
use crate::{
    AccessGrant, EndedEverything, ExchangeCode, ExchangeOutcome, Member, MemberId,
    NewAuthorizationCode, NewMember, NewRevision, NewSession, OpenError, Page, ProjectSummary,
    Refresh, RefreshOutcome, Revision, Revoke, RevokeOutcome, Session, StorageError, Store,
};
use cleaning::Cleaning;
use connections::{Connection, Connections};
use listener::Listener;
use statements::TOUCH_SCHEMA;

/// How often an exchange or a refresh is tried anew when something got in its way that cannot do so for ever, such as its client
/// being removed at this moment.
const TRIES: usize = 3;

/// A store in a PostgreSQL database. Several processes may have it open.
pub struct PostgresStore {
    connections: Connections,
    tokens: Arc<KnownTokens>,
    /// Starts with the first token that somebody shows: commands that look at none need not hear anything.
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
        let connections = Connections::new(address)?;
        schema::migrate(&mut connections.open().await?).await?;
        Ok(Self {
            connections,
            tokens: Arc::default(),
            listener: OnceLock::new(),
            cleaning: Arc::default(),
        })
    }

    /// Whether what is kept in memory can be relied on.
    fn has_heard_everything(&self) -> bool {
        let listen = || self.connections.listen(Arc::clone(&self.tokens));
        self.listener.get_or_init(listen).has_heard_everything()
    }

    /// Deletes some expired rows now and then, on the connection of an operation that has added one. Nobody waits for that.
    fn clean(&self, connection: Connection, present: Timestamp) {
        if !self.cleaning.is_due() {
            return;
        }
        let cleaning = Arc::clone(&self.cleaning);
        tokio::spawn(async move {
            if let Err(error) = cleaning::delete_expired(&connection.database, present).await {
                tracing::warn!("expired rows could not be deleted: {error}");
            }
            cleaning.is_over();
        });
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn add_member(&self, member: NewMember) -> Result<MemberId, StorageError> {
        let connection = self.connections.get().await?;
        members::add(&connection.database, &member).await
    }

    async fn lookup_member(&self, id: MemberId) -> Result<Option<Member>, StorageError> {
        let connection = self.connections.get().await?;
        members::lookup(&connection.database, id).await
    }

    async fn find_member_by_email(&self, email: &str) -> Result<Option<Member>, StorageError> {
        let connection = self.connections.get().await?;
        members::find_by_email(&connection.database, email).await
    }

    async fn add_session(&self, session: NewSession) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        members::add_session(&connection.database, &session).await?;
        self.clean(connection, session.now);
        Ok(())
    }

    async fn find_session(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<Session>, StorageError> {
        let connection = self.connections.get().await?;
        let found = members::find_session(&connection.database, hash, now).await?;
        let Some(found) = found else { return Ok(None) };
        if found.is_to_be_touched(now) {
            members::touch_session(&connection.database, hash, now).await?;
        }
        Ok(Some(found.session))
    }

    async fn remove_session(&self, hash: &CredentialHash) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        members::remove_session(&connection.database, hash).await
    }

    async fn add_client(&self, client: Client) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        clients::add(&connection.database, &client).await
    }

    async fn put_client(&self, client: Client) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        clients::put(&connection.database, &client).await
    }

    async fn lookup_client(&self, client_id: &ClientId) -> Result<Option<Client>, StorageError> {
        let connection = self.connections.get().await?;
        clients::lookup(&connection.database, client_id).await
    }

    async fn find_consent(
        &self,
        member: MemberId,
        client_id: &ClientId,
    ) -> Result<Option<ScopeSet>, StorageError> {
        let connection = self.connections.get().await?;
        clients::find_consent(&connection.database, member, client_id).await
    }

    async fn add_authorization_code(&self, code: NewAuthorizationCode) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        authorization_codes::add(&connection.database, &code).await?;
        self.clean(connection, code.now);
        Ok(())
    }

    async fn exchange_code(&self, exchange: ExchangeCode) -> Result<ExchangeOutcome, StorageError> {
        let connection = self.connections.get().await?;
        let reading = self.tokens.begin_reading();
        let mut tries = 0..TRIES;
        let (outcome, change) = loop {
            match authorization_codes::exchange(&connection.database, &exchange).await {
                Err(StorageError::Busy) if tries.next().is_some() => {}
                done => break done?,
            }
        };
        self.tokens.apply(reading, change);
        self.clean(connection, exchange.now);
        Ok(outcome)
    }

    async fn refresh(&self, refresh: Refresh) -> Result<RefreshOutcome, StorageError> {
        let mut connection = self.connections.get().await?;
        let reading = self.tokens.begin_reading();
        let mut tries = 0..TRIES;
        let (outcome, change) = loop {
            match refresh_tokens::refresh(&mut connection.database, &refresh).await {
                Err(StorageError::Busy) if tries.next().is_some() => {}
                done => break done?,
            }
        };
        self.tokens.apply(reading, change);
        self.clean(connection, refresh.now);
        Ok(outcome)
    }

    async fn find_access_token(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<AccessGrant>, StorageError> {
        if self.has_heard_everything()
            && let Some(grant) = self.tokens.find(hash, now)
        {
            return Ok(Some(grant));
        }
        let reading = self.tokens.begin_reading();
        let mut connection = self.connections.get().await?;
        let found = access_tokens::find(&mut connection.database, hash, now).await?;
        let Some(token) = found else { return Ok(None) };
        let grant = token.grant.clone();
        self.tokens.keep(reading, token);
        Ok(Some(grant))
    }

    async fn find_refresh_token(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<AccessGrant>, StorageError> {
        let connection = self.connections.get().await?;
        refresh_tokens::find_grant(&connection.database, hash, now).await
    }

    async fn revoke(&self, revoke: Revoke) -> Result<RevokeOutcome, StorageError> {
        let connection = self.connections.get().await?;
        let reading = self.tokens.begin_reading();
        let (outcome, change) = token_families::revoke(&connection.database, &revoke).await?;
        self.tokens.apply(reading, change);
        Ok(outcome)
    }

    async fn end_everything(&self, now: Timestamp) -> Result<EndedEverything, StorageError> {
        let mut connection = self.connections.get().await?;
        let reading = self.tokens.begin_reading();
        let (ended, change) = token_families::end_everything(&mut connection.database, now).await?;
        self.tokens.apply(reading, change);
        Ok(ended)
    }

    async fn publish_revision(&self, revision: NewRevision) -> Result<Revision, StorageError> {
        let mut connection = self.connections.get().await?;
        revisions::publish(&mut connection.database, revision).await
    }

    async fn live_revision(&self, project: ProjectId) -> Result<Option<Revision>, StorageError> {
        let connection = self.connections.get().await?;
        revisions::live(&connection.database, project).await
    }

    async fn find_revision(
        &self,
        project: ProjectId,
        snippet_hash: &str,
    ) -> Result<Option<Revision>, StorageError> {
        let connection = self.connections.get().await?;
        revisions::find(&connection.database, project, snippet_hash).await
    }

    async fn list_projects(&self, page: Page) -> Result<Vec<ProjectSummary>, StorageError> {
        let connection = self.connections.get().await?;
        revisions::list_projects(&connection.database, page).await
    }

    async fn find_or_add_signing_key(&self, new: SigningKey) -> Result<SigningKey, StorageError> {
        let connection = self.connections.get().await?;
        signing_key::find_or_add(&connection.database, &new).await
    }

    async fn is_writable(&self) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        query::execute(&connection.database, TOUCH_SCHEMA, &[]).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tokio_postgres::NoTls;

    use super::{PostgresStore, statements};
    use crate::statements::ALL;

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

        for text in ALL.iter().chain(&statements::ALL) {
            let prepared = connection.database.prepare(text).await;
            assert!(prepared.is_ok(), "{:?} in {text}", prepared.err());
        }
    }

    #[test]
    fn no_statement_is_missing_from_the_list() {
        let defined = include_str!("postgres/statements.rs").matches(": &str =").count();

        assert_eq!(statements::ALL.len(), defined);
    }
}
