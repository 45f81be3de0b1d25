//! The audit log as a chain. A sealing process holds a lock, so that one process seals at a time.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use oauth::Timestamp;

use super::PostgresStore;
use super::cleaning::delete_old_audit_entries;
use super::query::{begin, commit, execute, query, query_one, query_opt};
use super::statements::audit::{
    LIST_AND_LOCK_UNSEALED_ENTRIES, LOCK_AUDIT_CHAIN, SEAL_AUDIT_ENTRIES,
};
use crate::audit_chain::{COUNTED_WITHIN_MS, SEALED_AT_ONCE, Sealer, counted_until};
use crate::statements::audit::{
    FIND_AUDIT_HEAD, FIND_FIRST_SEAL_SINCE, FIND_OLDEST_UNSEALED, FIND_UNSEALED_SPAN,
    LIST_SEALED_ENTRIES,
};
use crate::{AuditChainStore, AuditHead, SealedEntry, StorageError, UnsealedSpan};

#[async_trait]
impl AuditChainStore for PostgresStore {
    async fn seal_audit_entries(&self, now: Timestamp) -> Result<bool, StorageError> {
        if self.oldest_unsealed(now).await?.is_none() {
            return Ok(false);
        }
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        execute(&transaction, LOCK_AUDIT_CHAIN, &[]).await?;
        let values = [&counted_until(now) as _, &SEALED_AT_ONCE as _];
        let rows = query(&transaction, LIST_AND_LOCK_UNSEALED_ENTRIES, &values).await?;
        let is_full = i64::try_from(rows.len()).is_ok_and(|count| count == SEALED_AT_ONCE);
        let mut sealer = Sealer::after(head(&transaction).await?);
        let mut columns = Columns::default();
        for row in &rows {
            columns.add(&sealer.seal(SealedEntry::unsealed_from_row(row)?));
        }
        let values = [
            &columns.ids as _,
            &columns.seals as _,
            &columns.prev_hashes as _,
            &columns.hashes as _,
        ];
        execute(&transaction, SEAL_AUDIT_ENTRIES, &values).await?;
        commit(transaction).await?;
        // These entries are sealed, whatever becomes of older ones.
        if let Some(audit_ends) = self.cleaning.audit_ends(now)
            && let Err(error) =
                delete_old_audit_entries(&connection.database, rows.len(), audit_ends).await
        {
            tracing::warn!("old audit entries could not be deleted: {error}");
        }
        Ok(is_full)
    }

    async fn list_sealed_entries(
        &self,
        after: i64,
        at_most: u32,
    ) -> Result<Vec<SealedEntry>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&after as _, &i64::from(at_most) as _];
        let rows = query(&connection.database, LIST_SEALED_ENTRIES, &values).await?;
        rows.iter().map(SealedEntry::from_row).collect()
    }

    async fn first_seal_since(&self, since: Timestamp) -> Result<Option<i64>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&since.as_milliseconds() as _];
        let row = query_one(&connection.database, FIND_FIRST_SEAL_SINCE, &values).await?;
        Ok(row.try_get(0)?)
    }

    async fn audit_head(&self) -> Result<Option<AuditHead>, StorageError> {
        let connection = self.connections.get().await?;
        head(&connection.database).await
    }

    async fn unsealed_span(&self) -> Result<Option<UnsealedSpan>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&COUNTED_WITHIN_MS as _];
        let row = query_one(&connection.database, FIND_UNSEALED_SPAN, &values).await?;
        Ok(UnsealedSpan::from_row(row.try_get(0)?, row.try_get(1)?))
    }

    async fn oldest_unsealed(&self, now: Timestamp) -> Result<Option<Timestamp>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&counted_until(now) as _];
        let row = query_opt(&connection.database, FIND_OLDEST_UNSEALED, &values).await?;
        row.map(|row| Ok(Timestamp::from_milliseconds(row.try_get(0)?))).transpose()
    }
}

/// What sealed entries get, column by column.
#[derive(Default)]
struct Columns {
    ids: Vec<i64>,
    seals: Vec<i64>,
    prev_hashes: Vec<Vec<u8>>,
    hashes: Vec<Option<Vec<u8>>>,
}

impl Columns {
    fn add(&mut self, entry: &SealedEntry) {
        self.ids.push(entry.id);
        self.seals.push(entry.seal);
        self.prev_hashes.push(entry.prev_hash.as_bytes().to_vec());
        self.hashes.push(entry.hash.map(|hash| hash.as_bytes().to_vec()));
    }
}

async fn head(database: &impl GenericClient) -> Result<Option<AuditHead>, StorageError> {
    let found = query_opt(database, FIND_AUDIT_HEAD, &[]).await?;
    found.map(|row| AuditHead::from_row(&row)).transpose()
}
