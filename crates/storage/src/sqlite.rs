//! The embedded store: one SQLite file, one writer thread, a few readers.
//!
//! `writer.rs` explains how writes become durable together; each other file below does what its name says.

mod access;
mod access_tokens;
mod api_tokens;
mod audit;
mod audit_chain;
mod authority;
mod authorization_codes;
mod backup;
mod checkpoints;
mod cleaning;
mod client_secrets;
mod clients;
mod connection;
mod consents;
mod counts;
mod database_file;
mod deleted_projects;
mod draft_sources;
mod errors;
mod events;
mod events_keys;
mod grants;
mod idempotency;
mod identities;
mod installations;
mod invitations;
mod live;
mod members;
mod newest_moment;
mod other_processes;
mod passkeys;
mod preview_links;
mod projects;
mod query;
mod readers;
mod refresh_tokens;
mod resource_changes;
mod restore;
mod results_links;
mod revisions;
mod roles;
mod schedules;
mod schema;
mod sessions;
mod signing_key;
mod webhooks;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use oauth::{CredentialHash, SigningKey, Timestamp};
use rusqlite::Connection;

use crate::access_cache::{AccessCache, CachedToken};
use crate::invalidation::{Change, Invalidation};
use crate::live_numbers::LiveNumbers;
use crate::{AuditKeeping, DatabaseLoad, FoundSchema, KeyUse, OpenError, StorageError, Store};
use checkpoints::Checkpoints;
use cleaning::Cleaning;
pub use database_file::DatabaseFile;
use other_processes::OtherProcesses;
use readers::Readers;
use writer::Writer;

/// A store in one SQLite file. Several processes may have it open.
pub struct SqliteStore {
    writer: Writer,
    readers: Readers,
    cache: Arc<AccessCache>,
    live: Arc<LiveNumbers>,
    other_processes: Arc<OtherProcesses>,
    failed_checkpoints: Arc<AtomicU64>,
    /// Whether this is a command, beside which a server may run: what the command ends is answered when the server knows.
    is_command: bool,
}

impl SqliteStore {
    /// Opens the database at `path`, creating it (for its owner alone) and bringing its schema up to date.
    ///
    /// # Errors
    /// If that is impossible; the file is then as it was.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_with(path, Cleaning::default())
    }

    /// The same for a server, which also deletes entries of the audit log that are older than that. A command keeps all: it does not know
    /// for how long they are wanted.
    ///
    /// # Errors
    /// If that is impossible; the file is then as it was.
    pub fn open_to_serve(path: &Path, audit: AuditKeeping) -> Result<Self, OpenError> {
        Self::open_with(path, Cleaning { audit: Some(audit), ..Cleaning::default() })
    }

    /// The file that was opened, by which a later look tells it from another one at the same path.
    #[must_use]
    pub fn file(&self) -> Arc<DatabaseFile> {
        Arc::clone(self.readers.file())
    }

    /// Finds the schema of the database at `path`, which must exist and stays as it is.
    ///
    /// # Errors
    /// If the file cannot be read, is not ours, or was made by a newer Assay.
    pub fn find_schema(path: &Path) -> Result<FoundSchema, OpenError> {
        // One that only reads would leave the engine's companions of the file behind.
        schema::find(&connection::open_for_checkpoints(path)?)
    }

    /// Looks for damage in the file at `path`, which must exist: reads all of it, beside a server that writes. `None` if there is none.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn find_damage(path: &Path) -> Result<Option<String>, OpenError> {
        Ok(schema::find_damage(&connection::open_for_checkpoints(path)?)?)
    }

    /// Moves what is still beside this file into it, once a server has stopped. Whether all of it was moved: another program may
    /// be in the way, or the file be gone.
    ///
    /// # Errors
    /// If that is impossible; nothing is lost then.
    pub fn settle(file: &DatabaseFile) -> Result<bool, OpenError> {
        // Another file in its place must not get what is of this one.
        if !file.is_in_place() {
            return Ok(false);
        }
        let path = file.path();
        Ok(checkpoints::settle(&connection::open_for_checkpoints(path)?)?)
    }

    fn open_with(path: &Path, cleaning: Cleaning) -> Result<Self, OpenError> {
        let is_command = cleaning.audit.is_none();
        let connection = connection::open_for_writing(path)?;
        let file = Arc::new(DatabaseFile::at(path)?);
        let checkpoints =
            Checkpoints::start(connection::open_for_checkpoints(path)?, Arc::clone(&file))?;
        let failed_checkpoints = checkpoints.failed();
        Ok(Self {
            writer: Writer::start(connection, cleaning, checkpoints)?,
            readers: Readers::new(file),
            failed_checkpoints,
            cache: Arc::default(),
            live: Arc::default(),
            other_processes: Arc::new(OtherProcesses::new()),
            is_command,
        })
    }

    /// Does `work`, and brings the cache up to date with it before it is answered.
    async fn change_tokens<T: Send + 'static>(
        &self,
        now: Timestamp,
        work: impl FnOnce(&Connection) -> Result<(T, Change), StorageError> + Send + 'static,
    ) -> Result<T, StorageError> {
        let (cache, epoch) = (Arc::clone(&self.cache), self.cache.epoch());
        let then = move |(_, change): &(T, Change)| cache.apply(epoch, change.clone());
        let (answer, change) = self.writer.write_then(Some(now), work, then).await?;
        if self.is_command && matches!(change, Change::Ended(_) | Change::ApiTokenRemoved(_)) {
            other_processes::wait_until_all_have_checked().await;
        }
        Ok(answer)
    }

    /// Invalidates the whole cache if another process has written to the file, which does not say what. Tells whether the cache can be
    /// relied on.
    async fn check_other_processes(&self, now: Timestamp) -> bool {
        if !self.other_processes.is_check_due(now) {
            return true;
        }
        let (cache, others) = (Arc::clone(&self.cache), Arc::clone(&self.other_processes));
        let then = move |commits: &i64| {
            if others.have_written(*commits) {
                cache.invalidate(&Invalidation::Everything);
            }
            others.note_check(now);
        };
        self.writer.look(other_processes::count_commits, then).await.is_ok()
    }

    /// Finds a token in the file. Its first use is written down.
    async fn read_access_token(
        &self,
        hash: CredentialHash,
        now: Timestamp,
    ) -> Result<Option<CachedToken>, StorageError> {
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
    async fn find_or_add_signing_key(
        &self,
        key_use: KeyUse,
        new: SigningKey,
    ) -> Result<SigningKey, StorageError> {
        let find = move |database: &Connection| signing_key::find(database, key_use);
        if let Some(known) = self.readers.read(find).await? {
            return Ok(known);
        }
        let add = move |database: &Connection| signing_key::find_or_add(database, key_use, &new);
        self.writer.write(None, add).await
    }

    async fn newest_moment(&self) -> Result<Option<Timestamp>, StorageError> {
        self.readers.read(newest_moment::find).await
    }

    async fn database_time(&self) -> Result<Option<Timestamp>, StorageError> {
        Ok(None)
    }

    fn load(&self) -> DatabaseLoad {
        self.readers.load()
    }

    fn take_failed_checkpoints(&self) -> u64 {
        self.failed_checkpoints.swap(0, Ordering::Relaxed)
    }

    async fn is_writable(&self) -> Result<(), StorageError> {
        self.writer.look(schema::rewrite_number, |()| ()).await
    }
}

#[cfg(test)]
mod tests {
    use super::connection;
    use crate::statements;

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

        for (_, text) in statements::all() {
            let statement =
                database.prepare(text).unwrap_or_else(|error| panic!("{error} in {text}"));
            let highest = parameters(text).into_iter().max().unwrap_or_default();
            assert_eq!(statement.parameter_count(), highest, "{text}");
        }
    }

    #[test]
    fn parameters_are_numbered_in_the_order_of_their_first_use() {
        for (_, text) in statements::all() {
            let mut highest = 0;
            for parameter in parameters(text) {
                assert!(parameter <= highest + 1, "{text}");
                highest = highest.max(parameter);
            }
        }
    }
}
