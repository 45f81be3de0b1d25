//! The embedded store: one SQLite file, one writer thread, a few readers.
//!
//! `writer.rs` explains how writes become durable together; each other file below does what its name says.

mod access;
mod access_tokens;
mod audit;
mod audit_chain;
mod authorization_codes;
mod backup;
mod checkpoints;
mod cleaning;
mod client_secrets;
mod clients;
mod connection;
mod consents;
mod counts;
mod errors;
mod idempotency;
mod live;
mod members;
mod neighbours;
mod newest_moment;
mod passkeys;
mod projects;
mod readers;
mod refresh_tokens;
mod restore;
mod revisions;
mod roles;
mod schedules;
mod schema;
mod sessions;
mod signing_key;
mod token_families;
mod writer;

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use oauth::{
    Client, ClientId, ClientSecret, CredentialHash, Lifetime, ScopeSet, SigningKey, Timestamp,
};
use rusqlite::Connection;

use crate::ending::{Change, Ending};
use crate::known_tokens::{KnownToken, KnownTokens};
use crate::live_numbers::LiveNumbers;
use crate::{
    AccessGrant, Act, AddCodeOutcome, AddPasskeyOutcome, AddSecretOutcome, AuditEntry,
    ChangeClient, ChoosePasswordOutcome, ChosenPassword, ConnectedClient, EndedEverything,
    ExchangeCode, ExchangeOutcome, FoundPasskey, Member, MemberId, NewAuditEntry,
    NewAuthorizationCode, NewMember, NewPasskey, NewSession, OpenError, Page, PasskeyLine, Refresh,
    RefreshOutcome, Refusal, RenamePasskey, RenewedHash, Revoke, RevokeOutcome, Session,
    SessionLine, StorageError, Store, TemporaryPassword,
};
use checkpoints::Checkpoints;
use cleaning::Cleaning;
use neighbours::Neighbours;
use readers::Readers;
use writer::Writer;

/// A store in one SQLite file. Several processes may have it open.
pub struct SqliteStore {
    writer: Writer,
    readers: Readers,
    tokens: Arc<KnownTokens>,
    live: Arc<LiveNumbers>,
    neighbours: Arc<Neighbours>,
    /// Whether another process may be serving: what this one ends is answered when that one knows.
    is_passing_by: bool,
}

impl SqliteStore {
    /// Opens the database at `path`, creating it (for its owner alone) and bringing its schema up to date.
    ///
    /// # Errors
    /// If that is impossible; the file is then as it was.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_with(path, Cleaning { audit_kept_for: None })
    }

    /// The same for the one who serves, and also deletes entries of the audit log that are older than that. A command that only passes
    /// by keeps all: it does not know for how long they are wanted.
    ///
    /// # Errors
    /// If that is impossible; the file is then as it was.
    pub fn open_to_serve(path: &Path, audit_kept_for: Lifetime) -> Result<Self, OpenError> {
        Self::open_with(path, Cleaning { audit_kept_for: Some(audit_kept_for) })
    }

    fn open_with(path: &Path, cleaning: Cleaning) -> Result<Self, OpenError> {
        let connection = connection::open_for_writing(path)?;
        let checkpoints = Checkpoints::start(connection::open_for_checkpoints(path)?)?;
        Ok(Self {
            writer: Writer::start(connection, cleaning, checkpoints)?,
            readers: Readers::new(path.to_owned()),
            tokens: Arc::default(),
            live: Arc::default(),
            neighbours: Arc::new(Neighbours::new()),
            is_passing_by: cleaning.audit_kept_for.is_none(),
        })
    }

    /// Does `work`, and has what it changed about access tokens in mind before it is answered.
    async fn change_tokens<T: Send + 'static>(
        &self,
        now: Timestamp,
        work: impl FnOnce(&Connection) -> Result<(T, Change), StorageError> + Send + 'static,
    ) -> Result<T, StorageError> {
        let (tokens, reading) = (Arc::clone(&self.tokens), self.tokens.begin_reading());
        let then = move |(_, change): &(T, Change)| tokens.apply(reading, change.clone());
        let (answer, change) = self.writer.write_then(Some(now), work, then).await?;
        if self.is_passing_by && matches!(change, Change::Ended(_)) {
            neighbours::until_all_have_looked().await;
        }
        Ok(answer)
    }

    /// Forgets the known tokens if another process has written to the file: what, nobody knows. Tells whether they can be relied on.
    async fn ask_after_neighbours(&self, now: Timestamp) -> bool {
        if !self.neighbours.are_due(now) {
            return true;
        }
        let (tokens, neighbours) = (Arc::clone(&self.tokens), Arc::clone(&self.neighbours));
        let then = move |commits: &i64| {
            if neighbours.have_written(*commits) {
                tokens.end(&Ending::Everything);
            }
            neighbours.were_looked_at(now);
        };
        self.writer.write_then(None, neighbours::count_commits, then).await.is_ok()
    }

    /// Finds a token in the file. Its first use is written down.
    async fn read_access_token(
        &self,
        hash: CredentialHash,
        now: Timestamp,
    ) -> Result<Option<KnownToken>, StorageError> {
        let find = move |database: &Connection| access_tokens::find(database, &hash, now);
        match self.readers.read(find).await? {
            Some(found) if found.is_first_use => {
                let find = move |database: &Connection| {
                    access_tokens::find_and_mark_seen(database, &hash, now)
                };
                self.writer.write(Some(now), find).await
            }
            found => Ok(found.map(|found| found.token)),
        }
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn add_member(&self, member: NewMember) -> Result<MemberId, StorageError> {
        self.writer
            .write(Some(member.act.at), move |database| members::add(database, &member))
            .await
    }

    async fn lookup_member(&self, id: MemberId) -> Result<Option<Member>, StorageError> {
        self.readers.read(move |database| members::lookup(database, id)).await
    }

    async fn find_member_by_email(&self, email: &str) -> Result<Option<Member>, StorageError> {
        let email = email.to_owned();
        self.readers.read(move |database| members::find_by_email(database, &email)).await
    }

    async fn choose_password(
        &self,
        chosen: ChosenPassword,
    ) -> Result<ChoosePasswordOutcome, StorageError> {
        self.writer
            .write(Some(chosen.act.at), move |database| members::choose_password(database, &chosen))
            .await
    }

    async fn reset_password(&self, password: TemporaryPassword) -> Result<(), StorageError> {
        self.change_tokens(password.act.at, move |database| {
            members::reset_password(database, &password)
        })
        .await
    }

    async fn renew_password_hash(&self, renewed: RenewedHash) -> Result<(), StorageError> {
        self.writer.write(None, move |database| members::renew_hash(database, &renewed)).await
    }

    async fn add_session(&self, session: NewSession) -> Result<(), StorageError> {
        self.writer
            .write(Some(session.act.at), move |database| sessions::add(database, &session))
            .await
    }

    async fn find_session(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<Session>, StorageError> {
        let hash = *hash;
        let found = self.readers.read(move |database| sessions::find(database, &hash, now)).await?;
        let Some(found) = found else { return Ok(None) };
        if found.is_to_be_touched(now) {
            self.writer
                .write(Some(now), move |database| sessions::touch(database, &hash, now))
                .await?;
        }
        Ok(Some(found.session))
    }

    async fn remove_session(&self, hash: &CredentialHash, act: Act) -> Result<(), StorageError> {
        let hash = *hash;
        self.writer
            .write(Some(act.at), move |database| sessions::remove(database, &hash, act))
            .await
    }

    async fn list_sessions(
        &self,
        member: MemberId,
        now: Timestamp,
    ) -> Result<Vec<SessionLine>, StorageError> {
        self.readers.read(move |database| sessions::list(database, member, now)).await
    }

    async fn end_session(
        &self,
        member: MemberId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError> {
        let id = id.to_owned();
        self.writer
            .write(Some(act.at), move |database| sessions::end(database, member, &id, act))
            .await
    }

    async fn end_other_sessions(
        &self,
        member: MemberId,
        kept: &CredentialHash,
        act: Act,
    ) -> Result<bool, StorageError> {
        let kept = *kept;
        self.writer
            .write(Some(act.at), move |database| sessions::end_others(database, member, &kept, act))
            .await
    }

    async fn add_passkey(&self, passkey: NewPasskey) -> Result<AddPasskeyOutcome, StorageError> {
        self.writer
            .write(Some(passkey.act.at), move |database| passkeys::add(database, &passkey))
            .await
    }

    async fn find_passkey(
        &self,
        credential_id: &[u8],
    ) -> Result<Option<FoundPasskey>, StorageError> {
        let credential_id = credential_id.to_owned();
        self.readers.read(move |database| passkeys::find(database, &credential_id)).await
    }

    async fn list_passkeys(&self, member: MemberId) -> Result<Vec<PasskeyLine>, StorageError> {
        self.readers.read(move |database| passkeys::list(database, member)).await
    }

    async fn rename_passkey(&self, rename: RenamePasskey) -> Result<bool, StorageError> {
        self.writer.write(None, move |database| passkeys::rename(database, &rename)).await
    }

    async fn remove_passkey(
        &self,
        member: MemberId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError> {
        let id = id.to_owned();
        self.writer
            .write(Some(act.at), move |database| passkeys::remove(database, member, &id, act))
            .await
    }

    async fn remove_passkeys(&self, member: MemberId, act: Act) -> Result<usize, StorageError> {
        self.change_tokens(act.at, move |database| passkeys::remove_all(database, member, act))
            .await
    }

    async fn add_client(&self, client: Client, act: Act) -> Result<(), StorageError> {
        self.writer.write(Some(act.at), move |database| clients::add(database, &client, act)).await
    }

    async fn put_client(&self, client: Client, act: Act) -> Result<(), StorageError> {
        self.change_tokens(act.at, move |database| clients::put(database, &client, act)).await
    }

    async fn lookup_client(&self, client_id: &ClientId) -> Result<Option<Client>, StorageError> {
        self.readers.read_at_once(|database| clients::lookup(database, client_id))
    }

    async fn list_clients(&self, page: Page) -> Result<Vec<Client>, StorageError> {
        self.readers.read(move |database| clients::list(database, page)).await
    }

    async fn change_client(&self, change: ChangeClient, act: Act) -> Result<bool, StorageError> {
        self.writer
            .write(Some(act.at), move |database| clients::change(database, &change, act))
            .await
    }

    async fn disable_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError> {
        let client_id = client_id.clone();
        self.change_tokens(act.at, move |database| clients::disable(database, &client_id, act))
            .await
    }

    async fn enable_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError> {
        let client_id = client_id.clone();
        self.writer
            .write(Some(act.at), move |database| clients::enable(database, &client_id, act))
            .await
    }

    async fn remove_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError> {
        let client_id = client_id.clone();
        self.change_tokens(act.at, move |database| clients::remove(database, &client_id, act)).await
    }

    async fn add_client_secret(
        &self,
        client_id: &ClientId,
        secret: ClientSecret,
        act: Act,
    ) -> Result<AddSecretOutcome, StorageError> {
        let client_id = client_id.clone();
        self.writer
            .write(Some(act.at), move |database| {
                client_secrets::add(database, &client_id, &secret, act)
            })
            .await
    }

    async fn remove_client_secret(
        &self,
        client_id: &ClientId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError> {
        let (client_id, id) = (client_id.clone(), id.to_owned());
        self.change_tokens(act.at, move |database| {
            client_secrets::remove(database, &client_id, &id, act)
        })
        .await
    }

    async fn note_secret_use(
        &self,
        client_id: &ClientId,
        id: &str,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let (client_id, id) = (client_id.clone(), id.to_owned());
        self.writer
            .write(Some(now), move |database| {
                client_secrets::note_use(database, &client_id, &id, now)
            })
            .await
    }

    async fn find_consent(
        &self,
        member: MemberId,
        client_id: &ClientId,
    ) -> Result<Option<ScopeSet>, StorageError> {
        let client_id = client_id.clone();
        self.readers.read(move |database| consents::find(database, member, &client_id)).await
    }

    async fn list_connections(
        &self,
        member: MemberId,
    ) -> Result<Vec<ConnectedClient>, StorageError> {
        self.readers.read(move |database| consents::list(database, member)).await
    }

    async fn disconnect(
        &self,
        member: MemberId,
        client_id: &ClientId,
        act: Act,
    ) -> Result<bool, StorageError> {
        let client_id = client_id.clone();
        self.change_tokens(act.at, move |database| {
            consents::disconnect(database, member, &client_id, act)
        })
        .await
    }

    async fn add_authorization_code(
        &self,
        code: NewAuthorizationCode,
    ) -> Result<AddCodeOutcome, StorageError> {
        self.writer
            .write(Some(code.now), move |database| authorization_codes::add(database, &code))
            .await
    }

    async fn exchange_code(&self, exchange: ExchangeCode) -> Result<ExchangeOutcome, StorageError> {
        self.change_tokens(exchange.now, move |database| {
            authorization_codes::exchange(database, &exchange)
        })
        .await
    }

    async fn refresh(&self, refresh: Refresh) -> Result<RefreshOutcome, StorageError> {
        self.change_tokens(refresh.now, move |database| refresh_tokens::refresh(database, &refresh))
            .await
    }

    async fn find_access_token(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<AccessGrant>, StorageError> {
        if self.ask_after_neighbours(now).await
            && let Some(grant) = self.tokens.find(hash, now)
        {
            return Ok(Some(grant));
        }
        let reading = self.tokens.begin_reading();
        let Some(token) = self.read_access_token(*hash, now).await? else { return Ok(None) };
        let grant = token.grant.clone();
        self.tokens.keep(reading, token);
        Ok(Some(grant))
    }

    async fn find_refresh_token(
        &self,
        hash: &CredentialHash,
        now: Timestamp,
    ) -> Result<Option<AccessGrant>, StorageError> {
        let hash = *hash;
        self.readers.read(move |database| refresh_tokens::find_grant(database, &hash, now)).await
    }

    async fn revoke(&self, revoke: Revoke) -> Result<RevokeOutcome, StorageError> {
        self.change_tokens(revoke.now, move |database| token_families::revoke(database, &revoke))
            .await
    }

    async fn end_everything(&self, now: Timestamp) -> Result<EndedEverything, StorageError> {
        self.change_tokens(now, move |database| token_families::end_everything(database, now)).await
    }

    async fn find_or_add_signing_key(&self, new: SigningKey) -> Result<SigningKey, StorageError> {
        if let Some(known) = self.readers.read(signing_key::find).await? {
            return Ok(known);
        }
        self.writer.write(None, move |database| signing_key::find_or_add(database, &new)).await
    }

    async fn add_audit_entry(&self, entry: NewAuditEntry) -> Result<(), StorageError> {
        self.writer.write(Some(entry.act.at), move |database| audit::add(database, &entry)).await
    }

    async fn count_refusals(&self, refusals: Vec<(Refusal, u32)>) -> Result<(), StorageError> {
        self.writer.write(None, move |database| audit::count_refusals(database, &refusals)).await
    }

    async fn list_audit_entries(&self, page: Page) -> Result<Vec<AuditEntry>, StorageError> {
        self.readers.read(move |database| audit::list(database, page)).await
    }

    async fn newest_moment(&self) -> Result<Option<Timestamp>, StorageError> {
        self.readers.read(newest_moment::find).await
    }

    async fn is_writable(&self) -> Result<(), StorageError> {
        self.writer.write(None, schema::rewrite_number).await
    }
}

#[cfg(test)]
mod tests {
    use super::connection;
    use crate::statements::ALL;

    /// The numbers of the parameters of a statement, in the order in which they stand there.
    fn parameters(statement: &str) -> Vec<usize> {
        let after_dollars = statement.split('$').skip(1);
        let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
        after_dollars.map(|text| digits(text).parse().unwrap()).collect()
    }

    #[test]
    fn every_statement_can_be_prepared() {
        let folder = tempfile::tempdir().unwrap();
        let database = connection::open_for_writing(&folder.path().join("assay.db")).unwrap();

        for text in ALL {
            let statement =
                database.prepare(text).unwrap_or_else(|error| panic!("{error} in {text}"));
            let highest = parameters(text).into_iter().max().unwrap_or_default();
            assert_eq!(statement.parameter_count(), highest, "{text}");
        }
    }

    #[test]
    fn parameters_are_numbered_in_the_order_of_their_first_use() {
        for text in ALL {
            let mut highest = 0;
            for parameter in parameters(text) {
                assert!(parameter <= highest + 1, "{text}");
                highest = highest.max(parameter);
            }
        }
    }

    #[test]
    fn no_statement_is_missing_from_the_list() {
        let files = [include_str!("statements.rs"), include_str!("statements/audit.rs")];
        let defined: usize = files.map(|file| file.matches(": &str =").count()).iter().sum();

        assert_eq!(ALL.len(), defined);
    }
}
