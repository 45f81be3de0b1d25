//! What becomes of the resources of drafts.

use async_trait::async_trait;
use domain::ProjectId;
use rusqlite::{Connection, Row, params};

use super::SqliteStore;
use super::query::query;
use crate::resource_changes::{ChangeRow, HistoryConditions, StampRow};
use crate::statements::resource_changes::{
    ADD_RESOURCE_CHANGE, COUNT_PROJECT_HISTORY, COUNT_RESOURCE_CHANGES, FORGET_LIVE_STAMPS,
    LIST_PROJECT_HISTORY, LIST_RESOURCE_CHANGES, LIST_RESOURCE_STAMPS, PUT_RESOURCE_STAMP,
};
use crate::stored::project_row_id;
use crate::{
    DraftChanges, HistoryEntry, HistoryFilter, ListRange, PastChange, ResourceChangeKind,
    ResourceChangeStore, ResourceStamp, StorageError,
};

#[async_trait]
impl ResourceChangeStore for SqliteStore {
    async fn list_resource_changes(
        &self,
        project: ProjectId,
        resource: &str,
        page: ListRange,
    ) -> Result<(Vec<PastChange>, u64), StorageError> {
        let resource = resource.to_owned();
        self.readers.read(move |database| list(database, project, &resource, page)).await
    }

    async fn list_project_history(
        &self,
        project: ProjectId,
        filter: HistoryFilter,
        page: ListRange,
    ) -> Result<(Vec<HistoryEntry>, u64), StorageError> {
        self.readers.read(move |database| history(database, project, filter, page)).await
    }
}

/// Writes down what a draft changes that has this version now.
pub(super) fn add(
    database: &Connection,
    project: ProjectId,
    version: i64,
    changes: &DraftChanges,
) -> Result<(), StorageError> {
    let DraftChanges { at, by, changes } = changes;
    let (project, at) = (project_row_id(project), at.as_milliseconds());
    let mut put_stamp = database.prepare_cached(PUT_RESOURCE_STAMP)?;
    let mut add_change = database.prepare_cached(ADD_RESOURCE_CHANGE)?;
    for change in changes {
        let resource = &change.resource;
        let created_at = (change.kind == ResourceChangeKind::Created).then_some(at);
        let live = change.live.as_str();
        put_stamp.execute(params![project, resource, created_at, at, by, live])?;
        let kind = change.kind.as_str();
        add_change.execute(params![project, resource, version, kind, at, by, change.fields])?;
    }
    Ok(())
}

/// An earlier state becomes live again.
pub(super) fn forget_live(database: &Connection, project: ProjectId) -> Result<(), StorageError> {
    database.prepare_cached(FORGET_LIVE_STAMPS)?.execute([project_row_id(project)])?;
    Ok(())
}

/// The stamps of all resources of a project, in no order.
pub(super) fn list_stamps(
    database: &Connection,
    project: ProjectId,
) -> Result<Vec<(String, ResourceStamp)>, StorageError> {
    let mut statement = database.prepare_cached(LIST_RESOURCE_STAMPS)?;
    let stamps = statement.query_map([project_row_id(project)], |row| {
        let stamp = StampRow {
            created_at: row.get(1)?,
            updated_at: row.get(2)?,
            updated_by: row.get(3)?,
            live_updated_at: row.get(4)?,
            live_updated_by: row.get(5)?,
        };
        Ok((row.get(0)?, stamp.into()))
    })?;
    stamps.map(|stamp| Ok(stamp?)).collect()
}

fn list(
    database: &Connection,
    project: ProjectId,
    resource: &str,
    page: ListRange,
) -> Result<(Vec<PastChange>, u64), StorageError> {
    let id = project_row_id(project);
    let mut statement = database.prepare_cached(LIST_RESOURCE_CHANGES)?;
    let rows = statement.query_map(params![id, resource, page.per_page, page.skipped()], change)?;
    let changes = rows.map(|row| row?.try_into()).collect::<Result<_, StorageError>>()?;
    let mut count = database.prepare_cached(COUNT_RESOURCE_CHANGES)?;
    let count: i64 = count.query_row(params![id, resource], |row| row.get(0))?;
    Ok((changes, u64::try_from(count).unwrap_or_default()))
}

fn history(
    database: &Connection,
    project: ProjectId,
    filter: HistoryFilter,
    page: ListRange,
) -> Result<(Vec<HistoryEntry>, u64), StorageError> {
    let id = project_row_id(project);
    let HistoryConditions { resource, by, since, until, not_with } = filter.into();
    let values = params![id, not_with, resource, by, since, until, page.per_page, page.skipped()];
    let entries = query(database, LIST_PROJECT_HISTORY, values, |row| HistoryEntry::from_row(row))?;
    let mut count = database.prepare_cached(COUNT_PROJECT_HISTORY)?;
    let count: i64 =
        count.query_row(params![id, not_with, resource, by, since, until], |row| row.get(0))?;
    Ok((entries, u64::try_from(count).unwrap_or_default()))
}

fn change(row: &Row<'_>) -> rusqlite::Result<ChangeRow> {
    Ok(ChangeRow { kind: row.get(0)?, at: row.get(1)?, by: row.get(2)?, fields: row.get(3)? })
}
