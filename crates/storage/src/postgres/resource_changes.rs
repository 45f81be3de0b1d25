//! What becomes of the resources of drafts.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use domain::ProjectId;
use tokio_postgres::Row;

use super::PostgresStore;
use super::query::{execute, query, query_one, storable};
use super::statements::resource_changes::{ADD_RESOURCE_CHANGES, PUT_RESOURCE_STAMPS};
use crate::resource_changes::{ChangeRow, HistoryConditions, StampRow};
use crate::statements::resource_changes::{
    COUNT_PROJECT_HISTORY, COUNT_RESOURCE_CHANGES, FORGET_LIVE_STAMPS, LIST_PROJECT_HISTORY,
    LIST_RESOURCE_CHANGES, LIST_RESOURCE_STAMPS,
};
use crate::stored::project_row_id;
use crate::{
    DraftChanges, HistoryEntry, HistoryFilter, ListRange, LiveStamp, PastChange, ResourceChange,
    ResourceChangeStore, ResourceStamp, StorageError,
};

#[async_trait]
impl ResourceChangeStore for PostgresStore {
    async fn list_resource_changes(
        &self,
        project: ProjectId,
        resource: &str,
        page: ListRange,
    ) -> Result<(Vec<PastChange>, u64), StorageError> {
        let Some(resource) = storable(resource) else { return Ok((Vec::new(), 0)) };
        let connection = self.connections.get().await?;
        let database = &connection.database;
        let (id, per_page, skipped) =
            (project_row_id(project), i64::from(page.per_page), page.skipped());
        let values = [&id as _, &resource as _, &per_page as _, &skipped as _];
        let rows = query(database, LIST_RESOURCE_CHANGES, &values).await?;
        let changes = rows.iter().map(|row| change(row)?.try_into());
        let changes = changes.collect::<Result<_, StorageError>>()?;
        let count = query_one(database, COUNT_RESOURCE_CHANGES, &[&id, &resource]).await?;
        Ok((changes, u64::try_from(count.try_get::<_, i64>(0)?).unwrap_or_default()))
    }

    async fn list_project_history(
        &self,
        project: ProjectId,
        filter: HistoryFilter,
        page: ListRange,
    ) -> Result<(Vec<HistoryEntry>, u64), StorageError> {
        let HistoryConditions { resource, by, since, until, not_with } = filter.into();
        let (Some(resource), Some(by)) = (storable(&resource), storable(&by)) else {
            return Ok((Vec::new(), 0));
        };
        let connection = self.connections.get().await?;
        let database = &connection.database;
        let (id, per_page, skipped) =
            (project_row_id(project), i64::from(page.per_page), page.skipped());
        let conditions =
            [&id as _, &not_with as _, &resource as _, &by as _, &since as _, &until as _];
        let values = [&conditions[..], &[&per_page as _, &skipped as _]].concat();
        let rows = query(database, LIST_PROJECT_HISTORY, &values).await?;
        let entries = rows.iter().map(HistoryEntry::from_row).collect::<Result<_, _>>()?;
        let count = query_one(database, COUNT_PROJECT_HISTORY, &conditions).await?;
        Ok((entries, u64::try_from(count.try_get::<_, i64>(0)?).unwrap_or_default()))
    }
}

/// Writes down what a draft changes that has this version now: a document may change thousands of resources, in two statements.
pub(super) async fn add(
    database: &impl GenericClient,
    project: ProjectId,
    version: i64,
    changes: &DraftChanges,
) -> Result<(), StorageError> {
    let DraftChanges { at, by, changes } = changes;
    if changes.is_empty() {
        return Ok(());
    }
    let (project, at) = (project_row_id(project), at.as_milliseconds());
    let column = |of: fn(&ResourceChange) -> &str| changes.iter().map(of).collect::<Vec<&str>>();
    let resources = column(|change| &change.resource);
    let kinds = column(|change| change.kind.as_str());
    let fields = column(|change| &change.fields);
    let of_live = |live: LiveStamp| {
        let changes = changes.iter().filter(move |change| change.live == live);
        changes.map(|change| change.resource.as_str()).collect::<Vec<&str>>()
    };
    let [before, now] = [LiveStamp::AsBefore, LiveStamp::AsNow].map(of_live);
    let values =
        [&project as _, &at as _, by as _, &resources as _, &kinds as _, &before as _, &now as _];
    execute(database, PUT_RESOURCE_STAMPS, &values).await?;
    let values = [
        &project as _,
        &version as _,
        &at as _,
        by as _,
        &resources as _,
        &kinds as _,
        &fields as _,
    ];
    execute(database, ADD_RESOURCE_CHANGES, &values).await?;
    Ok(())
}

/// An earlier state becomes live again.
pub(super) async fn forget_live(
    database: &impl GenericClient,
    project: ProjectId,
) -> Result<(), StorageError> {
    execute(database, FORGET_LIVE_STAMPS, &[&project_row_id(project)]).await?;
    Ok(())
}

/// The stamps of all resources of a project, in no order.
pub(super) async fn list_stamps(
    database: &impl GenericClient,
    project: ProjectId,
) -> Result<Vec<(String, ResourceStamp)>, StorageError> {
    let rows = query(database, LIST_RESOURCE_STAMPS, &[&project_row_id(project)]).await?;
    let stamps = rows.iter().map(|row| {
        let stamp = StampRow {
            created_at: row.try_get(1)?,
            updated_at: row.try_get(2)?,
            updated_by: row.try_get(3)?,
            live_updated_at: row.try_get(4)?,
            live_updated_by: row.try_get(5)?,
        };
        Ok((row.try_get(0)?, stamp.into()))
    });
    stamps.collect()
}

fn change(row: &Row) -> Result<ChangeRow, StorageError> {
    Ok(ChangeRow {
        kind: row.try_get(0)?,
        at: row.try_get(1)?,
        by: row.try_get(2)?,
        fields: row.try_get(3)?,
    })
}
