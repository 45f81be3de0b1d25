//! The moments at which campaigns start and stop by schedule.

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use domain::ProjectId;
use oauth::Timestamp;

use super::query::{begin, commit, execute, query, query_opt};
use super::{PostgresStore, audit, webhooks};
use crate::moment_rows::{MomentChanges, MomentKey, compare};
use crate::statements::schedules::{
    LIST_DUE_MOMENTS, LIST_MOMENTS, NEXT_MOMENT, PUT_MOMENT, SETTLE_MOMENT,
};
use crate::stored::project_row_id;
use crate::{
    Announcement, KnownMoment, MomentOutcome, NewAuditEntry, NewRevision, ScheduleStore,
    ScheduledMoment, StorageError,
};

#[async_trait]
impl ScheduleStore for PostgresStore {
    async fn next_moment(&self) -> Result<Option<ScheduledMoment>, StorageError> {
        let connection = self.connections.get().await?;
        let found = query_opt(&connection.database, NEXT_MOMENT, &[]).await?;
        found.map(|row| Ok(KnownMoment::from_row(&row)?.moment)).transpose()
    }

    async fn due_moments(&self, now: Timestamp) -> Result<Vec<ScheduledMoment>, StorageError> {
        let connection = self.connections.get().await?;
        let rows = query(&connection.database, LIST_DUE_MOMENTS, &[&now.as_milliseconds()]).await?;
        rows.iter().map(|row| Ok(KnownMoment::from_row(row)?.moment)).collect()
    }

    async fn list_moments(&self, project: ProjectId) -> Result<Vec<KnownMoment>, StorageError> {
        let connection = self.connections.get().await?;
        list(&connection.database, project).await
    }

    async fn miss_moments(
        &self,
        moments: Vec<(ScheduledMoment, Option<Announcement>)>,
        now: Timestamp,
    ) -> Result<Vec<ScheduledMoment>, StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        let mut missed = Vec::new();
        for (moment, announcement) in moments {
            if settle(&transaction, moment, MomentOutcome::Missed, now).await? {
                audit::add(&transaction, &NewAuditEntry::of_missed(moment, now)).await?;
                if let Some(announcement) = announcement {
                    webhooks::announce(&transaction, moment.project, &announcement).await?;
                }
                missed.push(moment);
            }
        }
        commit(transaction).await?;
        Ok(missed)
    }
}

async fn list(
    database: &impl GenericClient,
    project: ProjectId,
) -> Result<Vec<KnownMoment>, StorageError> {
    let rows = query(database, LIST_MOMENTS, &[&project_row_id(project)]).await?;
    rows.iter().map(KnownMoment::from_row).collect()
}

/// What a publication changes; `None` if something that it settles is settled already.
pub(super) async fn changes(
    database: &impl GenericClient,
    revision: &NewRevision,
    settled: &[ScheduledMoment],
) -> Result<Option<MomentChanges>, StorageError> {
    Ok(compare(&list(database, revision.project_id).await?, settled, &revision.moments))
}

pub(super) async fn apply(
    database: &impl GenericClient,
    changes: MomentChanges,
    now: Timestamp,
) -> Result<(), StorageError> {
    for moment in changes.done {
        settle(database, moment, MomentOutcome::Done, now).await?;
    }
    for moment in changes.cancelled {
        settle(database, moment, MomentOutcome::Cancelled, now).await?;
    }
    for moment in changes.added {
        let MomentKey { project, campaign, action, due_at } = moment.into();
        let values = [&project as _, &campaign as _, &action as _, &due_at as _];
        execute(database, PUT_MOMENT, &values).await?;
    }
    Ok(())
}

/// Tells whether the moment was due.
async fn settle(
    database: &impl GenericClient,
    moment: ScheduledMoment,
    outcome: MomentOutcome,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let MomentKey { project, campaign, action, due_at } = moment.into();
    let values = [
        &outcome.as_str() as _,
        &now.as_milliseconds() as _,
        &project as _,
        &campaign as _,
        &action as _,
        &due_at as _,
    ];
    Ok(execute(database, SETTLE_MOMENT, &values).await? > 0)
}
