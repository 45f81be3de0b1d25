//! The store for several processes: a PostgreSQL database, and connections to it that each do one operation at a time.
//!
//! An exchange and a refresh are one statement (`postgres/statements.rs`); who comes second waits for the row that the first has
//! changed, and then finds it changed. Each other file below does what its name says.

mod access;
mod access_tokens;
mod audit;
mod audit_chain;
mod authorization_codes;
mod backup;
mod cleaning;
mod client_secrets;
mod clients;
mod connections;
mod consents;
mod counts;
mod errors;
mod idempotency;
mod listener;
mod live;
mod members;
mod newest_moment;
mod passkeys;
mod projects;
mod query;
mod refresh_tokens;
mod restore;
mod revisions;
mod roles;
mod schedules;
mod schema;
mod sessions;
mod signing_key;
mod statements;
mod tls;
mod token_families;
mod url;

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use oauth::{
    Client, ClientId, ClientSecret, CredentialHash, Lifetime, ScopeSet, SigningKey, Timestamp,
};
use secrecy::SecretString;

use crate::ending::Change;
use crate::known_tokens::{KnownTokens, Reading};
use crate::live_numbers::LiveNumbers;
use crate::{
    AccessGrant, Act, AddCodeOutcome, AddPasskeyOutcome, AddSecretOutcome, AuditEntry,
    ChangeClient, ChoosePasswordOutcome, ChosenPassword, ConnectedClient, EndedEverything,
    ExchangeCode, ExchangeOutcome, FoundPasskey, Member, MemberId, NewAuditEntry,
    NewAuthorizationCode, NewMember, NewPasskey, NewSession, OpenError, Page, PasskeyLine, Refresh,
    RefreshOutcome, Refusal, RenamePasskey, RenewedHash, Revoke, RevokeOutcome, Session,
    SessionLine, StorageError, Store, TemporaryPassword,
};
use cleaning::Cleaning;
use connections::{Connection, Connections};
use listener::{Listener, Memory};

/// How often an exchange or a refresh is tried anew when something got in its way that cannot do so for ever, such as its client
/// being removed at this moment.
const TRIES: usize = 3;

/// A store in a PostgreSQL database. Several processes may have it open.
pub struct PostgresStore {
    connections: Connections,
    tokens: Arc<KnownTokens>,
    live: Arc<LiveNumbers>,
    /// Starts with the first question that memory may answer: commands that ask none need not hear anything.
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

    /// The same for the one who serves, and also deletes entries of the audit log that are older than that. A command that only passes
    /// by keeps all: it does not know for how long they are wanted.
    ///
    /// # Errors
    /// See [`PostgresStore::open`].
    pub async fn open_to_serve(
        address: &SecretString,
        audit_kept_for: Lifetime,
    ) -> Result<Self, OpenError> {
        Self::open_with(address, Cleaning::new(Some(audit_kept_for))).await
    }

    async fn open_with(address: &SecretString, cleaning: Cleaning) -> Result<Self, OpenError> {
        let connections = Connections::new(address)?;
        schema::migrate(&mut connections.open().await?).await?;
        Ok(Self {
            connections,
            tokens: Arc::default(),
            live: Arc::default(),
            listener: OnceLock::new(),
            cleaning: Arc::new(cleaning),
        })
    }

    /// Where other processes are heard.
    fn listener(&self) -> &Listener {
        self.listener.get_or_init(|| {
            let (tokens, live) = (Arc::clone(&self.tokens), Arc::clone(&self.live));
            self.connections.listen(Memory { tokens, live })
        })
    }

    /// Has in mind what an operation that began as `reading` changed about access tokens, before it is answered.
    fn answer<T>(&self, reading: Reading, (answer, change): (T, Change)) -> T {
        self.tokens.apply(reading, change);
        answer
    }

    /// Deletes some expired rows now and then, on the connection of an operation that has added one. Nobody waits for that.
    fn clean(&self, connection: Connection, present: Timestamp) {
        if !self.cleaning.is_due() {
            return;
        }
        let cleaning = Arc::clone(&self.cleaning);
        tokio::spawn(async move {
            if let Err(error) =
                cleaning::delete_expired(&connection.database, &cleaning, present).await
            {
                tracing::warn!("expired rows could not be deleted: {error}");
            }
            cleaning.is_over();
        });
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn add_member(&self, member: NewMember) -> Result<MemberId, StorageError> {
        let mut connection = self.connections.get().await?;
        members::add(&mut connection.database, &member).await
    }

    async fn lookup_member(&self, id: MemberId) -> Result<Option<Member>, StorageError> {
        let connection = self.connections.get().await?;
        members::lookup(&connection.database, id).await
    }

    async fn find_member_by_email(&self, email: &str) -> Result<Option<Member>, StorageError> {
        let connection = self.connections.get().await?;
        members::find_by_email(&connection.database, email).await
    }

    async fn choose_password(
        &self,
        chosen: ChosenPassword,
    ) -> Result<ChoosePasswordOutcome, StorageError> {
        let mut connection = self.connections.get().await?;
        members::choose_password(&mut connection.database, &chosen).await
    }

    async fn reset_password(&self, password: TemporaryPassword) -> Result<(), StorageError> {
        let mut connection = self.connections.get().await?;
        let reading = self.tokens.begin_reading();
        let change = members::reset_password(&mut connection.database, &password).await?;
        self.tokens.apply(reading, change);
        Ok(())
    }

    async fn renew_password_hash(&self, renewed: RenewedHash) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        members::renew_hash(&connection.database, &renewed).await
    }

    async fn add_session(&self, session: NewSession) -> Result<(), StorageError> {
        let mut connection = self.connections.get().await?;
        sessions::add(&mut connection.database, &session).await?;
        self.clean(connection, session.act.at);
        Ok(())
    }

    async fn find_session(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<Session>, StorageError> {
        let connection = self.connections.get().await?;
        let found = sessions::find(&connection.database, hash, now).await?;
        let Some(found) = found else { return Ok(None) };
        if found.is_to_be_touched(now) {
            sessions::touch(&connection.database, hash, now).await?;
        }
        Ok(Some(found.session))
    }

    async fn remove_session(&self, hash: &CredentialHash, act: Act) -> Result<(), StorageError> {
        let mut connection = self.connections.get().await?;
        sessions::remove(&mut connection.database, hash, act).await
    }

    async fn list_sessions(
        &self,
        member: MemberId,
        now: Timestamp,
    ) -> Result<Vec<SessionLine>, StorageError> {
        let connection = self.connections.get().await?;
        sessions::list(&connection.database, member, now).await
    }

    async fn end_session(
        &self,
        member: MemberId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        sessions::end(&mut connection.database, member, id, act).await
    }

    async fn end_other_sessions(
        &self,
        member: MemberId,
        kept: &CredentialHash,
        act: Act,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        sessions::end_others(&mut connection.database, member, kept, act).await
    }

    async fn add_passkey(&self, passkey: NewPasskey) -> Result<AddPasskeyOutcome, StorageError> {
        let mut connection = self.connections.get().await?;
        passkeys::add(&mut connection.database, &passkey).await
    }

    async fn find_passkey(
        &self,
        credential_id: &[u8],
    ) -> Result<Option<FoundPasskey>, StorageError> {
        let connection = self.connections.get().await?;
        passkeys::find(&connection.database, credential_id).await
    }

    async fn list_passkeys(&self, member: MemberId) -> Result<Vec<PasskeyLine>, StorageError> {
        let connection = self.connections.get().await?;
        passkeys::list(&connection.database, member).await
    }

    async fn rename_passkey(&self, rename: RenamePasskey) -> Result<bool, StorageError> {
        let connection = self.connections.get().await?;
        passkeys::rename(&connection.database, &rename).await
    }

    async fn remove_passkey(
        &self,
        member: MemberId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        passkeys::remove(&mut connection.database, member, id, act).await
    }

    async fn remove_passkeys(&self, member: MemberId, act: Act) -> Result<usize, StorageError> {
        let mut connection = self.connections.get().await?;
        let reading = self.tokens.begin_reading();
        let removed = passkeys::remove_all(&mut connection.database, member, act).await?;
        Ok(self.answer(reading, removed))
    }

    async fn add_client(&self, client: Client, act: Act) -> Result<(), StorageError> {
        let mut connection = self.connections.get().await?;
        clients::add(&mut connection.database, &client, act).await
    }

    async fn put_client(&self, client: Client, act: Act) -> Result<(), StorageError> {
        let mut connection = self.connections.get().await?;
        let reading = self.tokens.begin_reading();
        let mut tries = 0..TRIES;
        let change = loop {
            match clients::put(&mut connection.database, &client, act).await {
                Err(StorageError::Conflict) if tries.next().is_some() => {}
                done => break done?,
            }
        };
        self.tokens.apply(reading, change);
        Ok(())
    }

    async fn lookup_client(&self, client_id: &ClientId) -> Result<Option<Client>, StorageError> {
        let connection = self.connections.get().await?;
        clients::lookup(&connection.database, client_id).await
    }

    async fn list_clients(&self, page: Page) -> Result<Vec<Client>, StorageError> {
        let connection = self.connections.get().await?;
        clients::list(&connection.database, page).await
    }

    async fn change_client(&self, change: ChangeClient, act: Act) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        clients::change(&mut connection.database, &change, act).await
    }

    async fn disable_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let reading = self.tokens.begin_reading();
        let done = clients::disable(&mut connection.database, client_id, act).await?;
        Ok(self.answer(reading, done))
    }

    async fn enable_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        clients::enable(&mut connection.database, client_id, act).await
    }

    async fn remove_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let reading = self.tokens.begin_reading();
        let done = clients::remove(&mut connection.database, client_id, act).await?;
        Ok(self.answer(reading, done))
    }

    async fn add_client_secret(
        &self,
        client_id: &ClientId,
        secret: ClientSecret,
        act: Act,
    ) -> Result<AddSecretOutcome, StorageError> {
        let mut connection = self.connections.get().await?;
        client_secrets::add(&mut connection.database, client_id, &secret, act).await
    }

    async fn remove_client_secret(
        &self,
        client_id: &ClientId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let reading = self.tokens.begin_reading();
        let done = client_secrets::remove(&mut connection.database, client_id, id, act).await?;
        Ok(self.answer(reading, done))
    }

    async fn note_secret_use(
        &self,
        client_id: &ClientId,
        id: &str,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        client_secrets::note_use(&connection.database, client_id, id, now).await
    }

    async fn find_consent(
        &self,
        member: MemberId,
        client_id: &ClientId,
    ) -> Result<Option<ScopeSet>, StorageError> {
        let connection = self.connections.get().await?;
        consents::find(&connection.database, member, client_id).await
    }

    async fn list_connections(
        &self,
        member: MemberId,
    ) -> Result<Vec<ConnectedClient>, StorageError> {
        let connection = self.connections.get().await?;
        consents::list(&connection.database, member).await
    }

    async fn disconnect(
        &self,
        member: MemberId,
        client_id: &ClientId,
        act: Act,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let reading = self.tokens.begin_reading();
        let done = consents::disconnect(&mut connection.database, member, client_id, act).await?;
        Ok(self.answer(reading, done))
    }

    async fn add_authorization_code(
        &self,
        code: NewAuthorizationCode,
    ) -> Result<AddCodeOutcome, StorageError> {
        let connection = self.connections.get().await?;
        let outcome = authorization_codes::add(&connection.database, &code).await?;
        self.clean(connection, code.now);
        Ok(outcome)
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
        if self.tokens.find(hash, now).is_some()
            && self.listener().hear_everything().await
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
        Ok(self.answer(reading, token_families::revoke(&connection.database, &revoke).await?))
    }

    async fn end_everything(&self, now: Timestamp) -> Result<EndedEverything, StorageError> {
        let mut connection = self.connections.get().await?;
        let reading = self.tokens.begin_reading();
        let (ended, change) = token_families::end_everything(&mut connection.database, now).await?;
        self.tokens.apply(reading, change);
        Ok(ended)
    }

    async fn find_or_add_signing_key(&self, new: SigningKey) -> Result<SigningKey, StorageError> {
        let connection = self.connections.get().await?;
        signing_key::find_or_add(&connection.database, &new).await
    }

    async fn add_audit_entry(&self, entry: NewAuditEntry) -> Result<(), StorageError> {
        audit::add(&self.connections.get().await?.database, &entry).await
    }

    async fn count_refusals(&self, refusals: Vec<(Refusal, u32)>) -> Result<(), StorageError> {
        let mut connection = self.connections.get().await?;
        audit::count_refusals(&mut connection.database, &refusals).await
    }

    async fn list_audit_entries(&self, page: Page) -> Result<Vec<AuditEntry>, StorageError> {
        let connection = self.connections.get().await?;
        audit::list(&connection.database, page).await
    }

    async fn newest_moment(&self) -> Result<Option<Timestamp>, StorageError> {
        newest_moment::find(&self.connections.get().await?.database).await
    }

    async fn is_writable(&self) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        query::execute(&connection.database, statements::TOUCH_SCHEMA, &[]).await.map(drop)
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

        for text in ALL.iter().chain(statements::ALL) {
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
