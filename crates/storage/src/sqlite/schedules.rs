//! The moments at which campaigns start and stop by schedule.

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;
use rusqlite::{Connection, params};

use super::query::{query, query_opt};
use super::{SqliteStore, audit, webhooks};
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
impl ScheduleStore for SqliteStore {
    async fn next_moment(&self) -> Result<Option<ScheduledMoment>, StorageError> {
        self.readers.read(next).await
    }

    async fn due_moments(&self, now: Timestamp) -> Result<Vec<ScheduledMoment>, StorageError> {
        self.readers.read(move |database| due(database, now)).await
    }

    async fn list_moments(&self, project: ProjectId) -> Result<Vec<KnownMoment>, StorageError> {
        self.readers.read(move |database| list(database, project)).await
    }

    async fn miss_moments(
        &self,
        moments: Vec<(ScheduledMoment, Option<Announcement>)>,
        now: Timestamp,
    ) -> Result<Vec<ScheduledMoment>, StorageError> {
        self.writer.write(Some(now), move |database| miss(database, moments, now)).await
    }
}

fn next(database: &Connection) -> Result<Option<ScheduledMoment>, StorageError> {
    query_opt(database, NEXT_MOMENT, [], |row| Ok(KnownMoment::from_row(row)?.moment))
}

fn due(database: &Connection, now: Timestamp) -> Result<Vec<ScheduledMoment>, StorageError> {
    let values = [now.as_milliseconds()];
    query(database, LIST_DUE_MOMENTS, values, |row| Ok(KnownMoment::from_row(row)?.moment))
}

fn list(database: &Connection, project: ProjectId) -> Result<Vec<KnownMoment>, StorageError> {
    query(database, LIST_MOMENTS, [project_row_id(project)], |row| KnownMoment::from_row(row))
}

fn miss(
    database: &Connection,
    moments: Vec<(ScheduledMoment, Option<Announcement>)>,
    now: Timestamp,
) -> Result<Vec<ScheduledMoment>, StorageError> {
    let mut missed = Vec::new();
    for (moment, announcement) in moments {
        if settle(database, moment, MomentOutcome::Missed, now)? {
            audit::add(database, &NewAuditEntry::of_missed(moment, now))?;
            if let Some(announcement) = announcement {
                webhooks::announce(database, moment.project, &announcement)?;
            }
            missed.push(moment);
        }
    }
    Ok(missed)
}

/// What a publication changes; `None` if something that it settles is settled already.
pub(super) fn changes(
    database: &Connection,
    revision: &NewRevision,
    settled: &[ScheduledMoment],
) -> Result<Option<MomentChanges>, StorageError> {
    Ok(compare(&list(database, revision.project_id)?, settled, &revision.moments))
}

pub(super) fn apply(
    database: &Connection,
    changes: MomentChanges,
    now: Timestamp,
) -> Result<(), StorageError> {
    for moment in changes.done {
        settle(database, moment, MomentOutcome::Done, now)?;
    }
    for moment in changes.cancelled {
        settle(database, moment, MomentOutcome::Cancelled, now)?;
    }
    for moment in changes.added {
        let MomentKey { project, campaign, action, due_at } = moment.into();
        let values = params![project, campaign, action, due_at];
        database.prepare_cached(PUT_MOMENT)?.execute(values)?;
    }
    Ok(())
}

/// Tells whether the moment was due.
fn settle(
    database: &Connection,
    moment: ScheduledMoment,
    outcome: MomentOutcome,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let MomentKey { project, campaign, action, due_at } = moment.into();
    let outcome = outcome.as_str();
    let values = params![outcome, now.as_milliseconds(), project, campaign, action, due_at];
    Ok(database.prepare_cached(SETTLE_MOMENT)?.execute(values)? > 0)
}
