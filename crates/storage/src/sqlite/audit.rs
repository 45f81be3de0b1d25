//! The audit log: entries are written within the transaction of their act.

use async_trait::async_trait;
use rusqlite::{Connection, params};

use super::SqliteStore;
use super::query::query;
use crate::audit_filter::AuditConditions;
use crate::audit_row::AuditColumns;
use crate::statements::audit::{
    ADD_AUDIT_ENTRY, COUNT_AUDIT_ENTRIES, COUNT_REFUSAL, LIST_AUDIT_ENTRIES,
};
use crate::{AuditEntry, AuditFilter, AuditStore, ListRange, NewAuditEntry, Refusal, StorageError};

#[async_trait]
impl AuditStore for SqliteStore {
    async fn add_audit_entry(&self, entry: NewAuditEntry) -> Result<(), StorageError> {
        self.writer.write(Some(entry.act.at), move |database| add(database, &entry)).await
    }

    async fn count_refusals(&self, refusals: Vec<(Refusal, u32)>) -> Result<(), StorageError> {
        self.writer.write(None, move |database| count_refusals(database, &refusals)).await
    }

    async fn search_audit_entries(
        &self,
        filter: AuditFilter,
        page: ListRange,
    ) -> Result<Vec<AuditEntry>, StorageError> {
        self.readers.read(move |database| search(database, &filter, page)).await
    }

    async fn count_audit_entries(&self, filter: AuditFilter) -> Result<u64, StorageError> {
        self.readers.read(move |database| count(database, &filter)).await
    }
}

pub(super) fn add(database: &Connection, entry: &NewAuditEntry) -> Result<(), StorageError> {
    let columns: AuditColumns = entry.into();
    let values = params![
        columns.at,
        columns.event,
        columns.actor,
        columns.member,
        columns.client_id,
        columns.address,
        columns.detail,
        columns.project,
        columns.entity,
        columns.change,
        columns.request_id,
    ];
    database.prepare_cached(ADD_AUDIT_ENTRY)?.execute(values)?;
    Ok(())
}

pub(super) fn count_refusals(
    database: &Connection,
    refusals: &[(Refusal, u32)],
) -> Result<(), StorageError> {
    for (refusal, count) in refusals {
        let AuditColumns { at, event, member, client_id, address, .. } = refusal.into();
        let values = params![at, event, member, client_id, address, count];
        database.prepare_cached(COUNT_REFUSAL)?.execute(values)?;
    }
    Ok(())
}

pub(super) fn search(
    database: &Connection,
    filter: &AuditFilter,
    page: ListRange,
) -> Result<Vec<AuditEntry>, StorageError> {
    let AuditConditions { since, until, project, event, about, member, named } = filter.into();
    let (per_page, skipped) = (page.per_page, page.skipped());
    let values = params![since, until, project, event, about, member, named, per_page, skipped];
    query(database, LIST_AUDIT_ENTRIES, values, |row| AuditEntry::from_row(row))
}

fn count(database: &Connection, filter: &AuditFilter) -> Result<u64, StorageError> {
    let AuditConditions { since, until, project, event, about, member, named } = filter.into();
    let values = params![since, until, project, event, about, member, named];
    let mut statement = database.prepare_cached(COUNT_AUDIT_ENTRIES)?;
    let count: i64 = statement.query_row(values, |row| row.get(0))?;
    Ok(u64::try_from(count).unwrap_or_default())
}
