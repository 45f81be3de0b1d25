//! The audit log: entries are written within the transaction of their act.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Object};
use tokio_postgres::types::ToSql;

use super::PostgresStore;
use super::query::{begin, commit, execute, query, query_one};
use crate::audit_filter::AuditConditions;
use crate::audit_row::AuditColumns;
use crate::statements::audit::{
    ADD_AUDIT_ENTRY, COUNT_AUDIT_ENTRIES, COUNT_REFUSAL, LIST_AUDIT_ENTRIES,
};
use crate::{AuditEntry, AuditFilter, AuditStore, ListRange, NewAuditEntry, Refusal, StorageError};

#[async_trait]
impl AuditStore for PostgresStore {
    async fn add_audit_entry(&self, entry: NewAuditEntry) -> Result<(), StorageError> {
        add(&self.connections.get().await?.database, &entry).await
    }

    async fn count_refusals(&self, refusals: Vec<(Refusal, u32)>) -> Result<(), StorageError> {
        let mut connection = self.connections.get().await?;
        count_refusals(&mut connection.database, &refusals).await
    }

    async fn search_audit_entries(
        &self,
        filter: AuditFilter,
        page: ListRange,
    ) -> Result<Vec<AuditEntry>, StorageError> {
        let connection = self.connections.get().await?;
        let conditions = AuditConditions::from(&filter);
        let (per_page, skipped) = (i64::from(page.per_page), page.skipped());
        let values = [&values_of(&conditions)[..], &[&per_page as _, &skipped as _]].concat();
        let rows = query(&connection.database, LIST_AUDIT_ENTRIES, &values).await?;
        rows.iter().map(AuditEntry::from_row).collect()
    }

    async fn count_audit_entries(&self, filter: AuditFilter) -> Result<u64, StorageError> {
        let connection = self.connections.get().await?;
        let conditions = AuditConditions::from(&filter);
        let values = values_of(&conditions);
        let row = query_one(&connection.database, COUNT_AUDIT_ENTRIES, &values).await?;
        Ok(u64::try_from(row.try_get::<_, i64>(0)?).unwrap_or_default())
    }
}

/// The first values of a search, in the order of its statement.
fn values_of(conditions: &AuditConditions) -> [&(dyn ToSql + Sync); 7] {
    let AuditConditions { since, until, project, event, about, member, named } = conditions;
    [since, until, project, event, about, member, named]
}

pub(super) async fn add(
    database: &impl GenericClient,
    entry: &NewAuditEntry,
) -> Result<(), StorageError> {
    let columns: AuditColumns = entry.into();
    let values = [
        &columns.at as _,
        &columns.event as _,
        &columns.actor as _,
        &columns.member as _,
        &columns.client_id as _,
        &columns.address as _,
        &columns.detail as _,
        &columns.project as _,
        &columns.entity as _,
        &columns.change as _,
        &columns.request_id as _,
    ];
    execute(database, ADD_AUDIT_ENTRY, &values).await?;
    Ok(())
}

/// In one order: of two processes that count the same ones at the same time one waits, and never each for the other.
pub(super) async fn count_refusals(
    database: &mut Object,
    refusals: &[(Refusal, u32)],
) -> Result<(), StorageError> {
    let mut counted: Vec<(AuditColumns, i64)> =
        refusals.iter().map(|(refusal, count)| (refusal.into(), i64::from(*count))).collect();
    counted.sort_by(|(one, _), (other, _)| one.count_key().cmp(&other.count_key()));
    let transaction = begin(database).await?;
    for (columns, count) in &counted {
        let AuditColumns { at, event, member, client_id, address, .. } = columns;
        let values = [at as _, event as _, member as _, client_id as _, address as _, count as _];
        execute(&transaction, COUNT_REFUSAL, &values).await?;
    }
    commit(transaction).await?;
    Ok(())
}
