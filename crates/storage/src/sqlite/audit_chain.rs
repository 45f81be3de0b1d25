//! The audit log as a chain. The one thread that writes is the only one of this process that seals; a transaction that writes is the
//! only one of all processes.

use async_trait::async_trait;
use oauth::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::SqliteStore;
use super::query::{query, query_opt};
use crate::audit_chain::{COUNTED_WITHIN_MS, SEALED_AT_ONCE, Sealer, counted_until};
use crate::statements::audit::{
    FIND_AUDIT_HEAD, FIND_FIRST_SEAL_SINCE, FIND_OLDEST_UNSEALED, FIND_UNSEALED_SPAN,
    LIST_SEALED_ENTRIES, LIST_UNSEALED_ENTRIES, SEAL_AUDIT_ENTRY,
};
use crate::{AuditChainStore, AuditHash, AuditHead, SealedEntry, StorageError, UnsealedSpan};

#[async_trait]
impl AuditChainStore for SqliteStore {
    async fn seal_audit_entries(&self, now: Timestamp) -> Result<bool, StorageError> {
        // A commit costs a flush of the disk, so there is none for nothing.
        if self.oldest_unsealed(now).await?.is_none() {
            return Ok(false);
        }
        self.writer.write(Some(now), move |database| seal(database, now)).await
    }

    async fn list_sealed_entries(
        &self,
        after: i64,
        at_most: u32,
    ) -> Result<Vec<SealedEntry>, StorageError> {
        self.readers.read(move |database| list(database, after, at_most)).await
    }

    async fn first_seal_since(&self, since: Timestamp) -> Result<Option<i64>, StorageError> {
        let find = move |database: &Connection| {
            let mut statement = database.prepare_cached(FIND_FIRST_SEAL_SINCE)?;
            Ok(statement.query_row([since.as_milliseconds()], |row| row.get(0))?)
        };
        self.readers.read(find).await
    }

    async fn audit_head(&self) -> Result<Option<AuditHead>, StorageError> {
        self.readers.read(head).await
    }

    async fn unsealed_span(&self) -> Result<Option<UnsealedSpan>, StorageError> {
        let find = |database: &Connection| {
            let mut statement = database.prepare_cached(FIND_UNSEALED_SPAN)?;
            Ok(statement.query_row([COUNTED_WITHIN_MS], |row| {
                Ok(UnsealedSpan::from_row(row.get(0)?, row.get(1)?))
            })?)
        };
        self.readers.read(find).await
    }

    async fn oldest_unsealed(&self, now: Timestamp) -> Result<Option<Timestamp>, StorageError> {
        let find = move |database: &Connection| {
            let mut statement = database.prepare_cached(FIND_OLDEST_UNSEALED)?;
            let at = statement.query_row([counted_until(now)], |row| row.get(0)).optional()?;
            Ok(at.map(Timestamp::from_milliseconds))
        };
        self.readers.read(find).await
    }
}

fn seal(database: &Connection, now: Timestamp) -> Result<bool, StorageError> {
    let values = params![counted_until(now), SEALED_AT_ONCE];
    let read = |row: &Row<'_>| SealedEntry::unsealed_from_row(row);
    let entries = query(database, LIST_UNSEALED_ENTRIES, values, read)?;
    let is_full = i64::try_from(entries.len()).is_ok_and(|count| count == SEALED_AT_ONCE);
    let mut sealer = Sealer::after(head(database)?);
    let mut statement = database.prepare_cached(SEAL_AUDIT_ENTRY)?;
    for entry in entries {
        let SealedEntry { seal, prev_hash, hash, id, .. } = sealer.seal(entry);
        let hash = hash.as_ref().map(AuditHash::as_bytes);
        statement.execute(params![seal, prev_hash.as_bytes(), hash, id])?;
    }
    Ok(is_full)
}

fn head(database: &Connection) -> Result<Option<AuditHead>, StorageError> {
    query_opt(database, FIND_AUDIT_HEAD, [], |row| AuditHead::from_row(row))
}

fn list(database: &Connection, after: i64, at_most: u32) -> Result<Vec<SealedEntry>, StorageError> {
    query(database, LIST_SEALED_ENTRIES, params![after, at_most], |row| SealedEntry::from_row(row))
}
