//! Webhooks, and what is delivered to them.

use async_trait::async_trait;
use domain::{ExperimentId, ProjectId};
use oauth::Timestamp;
use rusqlite::{Connection, params};

use super::query::{execute, query, query_opt};
use super::{SqliteStore, audit, authority, projects};
use crate::row::Row as _;
use crate::statements::webhooks::{
    ADD_WEBHOOK, ANNOUNCE, ANNOUNCE_TO_ONE, BRING_FORWARD, CHANGE_WEBHOOK, CLAIM_DELIVERIES,
    COUNT_DELIVERIES, END_FAR_LEASES, FIND_DELIVERY, FIND_EARLIER_ATTEMPTS, FIND_WEBHOOK,
    KEEP_LAST_ATTEMPT, LIST_ANNOUNCING_PROJECTS, LIST_DELIVERIES, LIST_EARLIER_ATTEMPTS,
    LIST_HOLDS, LIST_WEBHOOKS, NEXT_DELIVERY, NOTE_ANNOUNCED_RESULT, REDELIVER, REMOVE_DELIVERIES,
    REMOVE_EARLIER_ATTEMPTS, REMOVE_WEBHOOK, SETTLE_DELIVERY, SWITCH_OFF_WEBHOOK,
    SWITCH_OFF_WEBHOOKS_OF_MEMBER,
};
use crate::stored::{project_id, project_row_id};
use crate::webhooks::{
    Announcement, EARLIER_ATTEMPTS_AT_MOST, EarlierAttempt, FurthestWaits, Lease,
    OF_PROJECT_AT_ONCE, SettledAttempt, SwitchOff, WEBHOOKS_AT_MOST, Webhook, WebhookDelivery,
    WebhookRow, WebhookStore, experiment_row_id, hold_from_row,
};
use crate::{Authority, ChangeRoles, ListRange, NewAuditEntry, OffBecause, StorageError};

#[async_trait]
impl WebhookStore for SqliteStore {
    async fn add_webhook(
        &self,
        new: (Authority, Webhook),
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let at = entry.act.at;
        self.writer.write(Some(at), move |database| add(database, &new, &entry)).await
    }

    async fn find_webhook(&self, id: &str) -> Result<Option<Webhook>, StorageError> {
        let id = id.to_owned();
        let find = move |database: &Connection| {
            query_opt(database, FIND_WEBHOOK, [id], |row| Webhook::from_row(row))
        };
        self.readers.read(find).await
    }

    async fn list_webhooks(&self, project: ProjectId) -> Result<Vec<Webhook>, StorageError> {
        let list = move |database: &Connection| {
            let values = [project_row_id(project)];
            query(database, LIST_WEBHOOKS, values, |row| Webhook::from_row(row))
        };
        self.readers.read(list).await
    }

    async fn change_webhook(
        &self,
        changed: (Authority, Webhook),
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let at = entry.act.at;
        self.writer.write(Some(at), move |database| change(database, &changed, &entry)).await
    }

    async fn remove_webhook(
        &self,
        project: ProjectId,
        id: &str,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let (id, at) = (id.to_owned(), entry.act.at);
        let work = move |database: &Connection| {
            if execute(database, REMOVE_WEBHOOK, params![id, project_row_id(project)])? == 0 {
                return Ok(false);
            }
            execute(database, REMOVE_DELIVERIES, [&id])?;
            execute(database, REMOVE_EARLIER_ATTEMPTS, [&id])?;
            audit::add(database, &entry)?;
            Ok(true)
        };
        self.writer.write(Some(at), work).await
    }

    async fn list_announcing_projects(&self) -> Result<Vec<ProjectId>, StorageError> {
        let list = |database: &Connection| {
            query(database, LIST_ANNOUNCING_PROJECTS, [], |row| project_id(row.column(0)?))
        };
        self.readers.read(list).await
    }

    async fn announce_result(
        &self,
        project: ProjectId,
        (experiment, mark): (ExperimentId, &str),
        announcement: Announcement,
    ) -> Result<bool, StorageError> {
        let (at, mark) = (announcement.at, mark.to_owned());
        let work = move |database: &Connection| {
            let (id, experiment) = (project_row_id(project), experiment_row_id(experiment));
            let values = params![id, experiment, mark, at.as_milliseconds()];
            if execute(database, NOTE_ANNOUNCED_RESULT, values)? == 0 {
                return Ok(false);
            }
            announce(database, project, &announcement)?;
            Ok(true)
        };
        self.writer.write(Some(at), work).await
    }

    async fn announce_to_webhook(
        &self,
        webhook: &str,
        announcement: Announcement,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let webhook = webhook.to_owned();
        let work = move |database: &Connection| {
            let Announcement { message, event, at, body } = &announcement;
            let (body, at) = (body.to_string(), at.as_milliseconds());
            let values = params![message, event, body, at, webhook];
            if execute(database, ANNOUNCE_TO_ONE, values)? == 0 {
                return Ok(false);
            }
            audit::add(database, &entry)?;
            Ok(true)
        };
        self.writer.write(None, work).await
    }

    async fn list_webhook_deliveries(
        &self,
        webhook: &str,
        page: ListRange,
    ) -> Result<(Vec<WebhookDelivery>, u64), StorageError> {
        let webhook = webhook.to_owned();
        let list = move |database: &Connection| {
            let values = params![webhook, page.per_page, page.skipped()];
            let read = |row: &rusqlite::Row<'_>| WebhookDelivery::from_row(row);
            let deliveries = query(database, LIST_DELIVERIES, values, read)?;
            let values = params![webhook, page.per_page, page.skipped(), EARLIER_ATTEMPTS_AT_MOST];
            let earlier = query(database, LIST_EARLIER_ATTEMPTS, values, |row| {
                EarlierAttempt::from_row(row)
            })?;
            let deliveries = deliveries.into_iter().map(|one| one.with_earlier(&earlier)).collect();
            let count = query_opt(database, COUNT_DELIVERIES, [&webhook], |row| row.column(0))?;
            Ok((deliveries, u64::try_from(count.unwrap_or(0_i64)).unwrap_or_default()))
        };
        self.readers.read(list).await
    }

    async fn find_webhook_delivery(
        &self,
        webhook: &str,
        message: &str,
    ) -> Result<Option<WebhookDelivery>, StorageError> {
        let (webhook, message) = (webhook.to_owned(), message.to_owned());
        let find = move |database: &Connection| {
            let values = [&webhook, &message];
            let read = |row: &rusqlite::Row<'_>| WebhookDelivery::from_row(row);
            let found = query_opt(database, FIND_DELIVERY, values, read)?;
            let values = params![webhook, message, EARLIER_ATTEMPTS_AT_MOST];
            let earlier = query(database, FIND_EARLIER_ATTEMPTS, values, |row| {
                EarlierAttempt::from_row(row)
            })?;
            Ok(found.map(|delivery| delivery.with_earlier(&earlier)))
        };
        self.readers.read(find).await
    }

    async fn list_webhook_holds(
        &self,
        project: ProjectId,
        at: Timestamp,
    ) -> Result<Vec<(String, Timestamp)>, StorageError> {
        let list = move |database: &Connection| {
            let values = params![project_row_id(project), at.as_milliseconds()];
            query(database, LIST_HOLDS, values, |row| hold_from_row(row))
        };
        self.readers.read(list).await
    }

    async fn redeliver_to_webhook(
        &self,
        webhook: &str,
        message: &str,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let (webhook, message) = (webhook.to_owned(), message.to_owned());
        let work = move |database: &Connection| {
            let values = params![entry.act.at.as_milliseconds(), webhook, message];
            if execute(database, REDELIVER, values)? == 0 {
                return Ok(false);
            }
            audit::add(database, &entry)?;
            Ok(true)
        };
        self.writer.write(None, work).await
    }

    async fn next_webhook_delivery(
        &self,
        furthest: FurthestWaits,
    ) -> Result<Option<Timestamp>, StorageError> {
        let FurthestWaits { leased_until, due_at } = furthest;
        let values = [due_at.as_milliseconds(), leased_until.as_milliseconds()];
        let find = move |database: &Connection| {
            query_opt(database, NEXT_DELIVERY, values, |row| row.column::<Option<i64>>(0))
        };
        Ok(self.readers.read(find).await?.flatten().map(Timestamp::from_milliseconds))
    }

    async fn claim_webhook_deliveries(
        &self,
        lease: Lease,
        furthest: FurthestWaits,
        at_most: u32,
    ) -> Result<Vec<WebhookDelivery>, StorageError> {
        let claim = move |database: &Connection| {
            let (until, at) = (lease.until.as_milliseconds(), lease.at.as_milliseconds());
            execute(database, END_FAR_LEASES, [furthest.leased_until.as_milliseconds()])?;
            execute(database, BRING_FORWARD, [at, furthest.due_at.as_milliseconds()])?;
            let values = params![until, at, OF_PROJECT_AT_ONCE, at_most];
            query(database, CLAIM_DELIVERIES, values, |row| WebhookDelivery::from_row(row))
        };
        self.writer.write(Some(lease.at), claim).await
    }

    async fn settle_webhook_delivery(
        &self,
        attempt: SettledAttempt,
        switch_off: Option<SwitchOff>,
    ) -> Result<bool, StorageError> {
        let work = move |database: &Connection| settle(database, &attempt, switch_off.as_ref());
        self.writer.write(None, work).await
    }
}

fn add(
    database: &Connection,
    (authority, webhook): &(Authority, Webhook),
    entry: &NewAuditEntry,
) -> Result<bool, StorageError> {
    projects::check(database, webhook.project)?;
    authority::check(database, *authority, entry.act.at)?;
    let row = WebhookRow::from(webhook);
    let values = params![
        webhook.id,
        project_row_id(webhook.project),
        webhook.url,
        webhook.description,
        row.events,
        row.is_enabled,
        row.off_because,
        webhook.nonce,
        row.former_nonce,
        row.former_until,
        webhook.made_by,
        webhook.made_at.as_milliseconds(),
        webhook.version,
        row.member,
        WEBHOOKS_AT_MOST,
    ];
    if execute(database, ADD_WEBHOOK, values)? == 0 {
        return Ok(false);
    }
    audit::add(database, entry)?;
    Ok(true)
}

fn change(
    database: &Connection,
    (authority, webhook): &(Authority, Webhook),
    entry: &NewAuditEntry,
) -> Result<bool, StorageError> {
    authority::check(database, *authority, entry.act.at)?;
    let row = WebhookRow::from(webhook);
    let values = params![
        webhook.url,
        webhook.description,
        row.events,
        row.is_enabled,
        row.off_because,
        webhook.nonce,
        row.former_nonce,
        row.former_until,
        row.member,
        webhook.id,
        project_row_id(webhook.project),
        webhook.version,
    ];
    if execute(database, CHANGE_WEBHOOK, values)? == 0 {
        return Ok(false);
    }
    audit::add(database, entry)?;
    Ok(true)
}

/// To every webhook of the project that wants to hear of it.
pub(super) fn announce(
    database: &Connection,
    project: ProjectId,
    Announcement { message, event, at, body }: &Announcement,
) -> Result<(), StorageError> {
    let (body, at) = (body.to_string(), at.as_milliseconds());
    execute(database, ANNOUNCE, params![message, event, body, at, project_row_id(project)])?;
    Ok(())
}

/// Switches off what sends on the word of a member who is removed.
pub(super) fn switch_off_of_removed(
    database: &Connection,
    removal: &ChangeRoles,
) -> Result<(), StorageError> {
    let values = params![OffBecause::MemberRemoved.as_str(), removal.member.to_row()];
    let off = query(database, SWITCH_OFF_WEBHOOKS_OF_MEMBER, values, |row| {
        NewAuditEntry::of_webhook_of_removed(row, removal)
    })?;
    off.iter().try_for_each(|entry| audit::add(database, entry))
}

fn settle(
    database: &Connection,
    settled: &SettledAttempt,
    switch_off: Option<&SwitchOff>,
) -> Result<bool, StorageError> {
    let attempt = &settled.attempt;
    let leased_until = settled.leased_until.as_milliseconds();
    execute(database, KEEP_LAST_ATTEMPT, params![settled.webhook, settled.message, leased_until])?;
    let values = params![
        settled.due_at.map(Timestamp::as_milliseconds),
        settled.leased_anew(),
        settled.outcome.as_str(),
        attempt.at.as_milliseconds(),
        attempt.status,
        attempt.took_ms,
        attempt.answer,
        settled.webhook,
        settled.message,
        leased_until,
    ];
    if execute(database, SETTLE_DELIVERY, values)? == 0 {
        return Ok(false);
    }
    if let Some(SwitchOff { because, url, entry }) = switch_off {
        let values = params![because.as_str(), settled.webhook, url];
        if execute(database, SWITCH_OFF_WEBHOOK, values)? > 0 {
            audit::add(database, entry)?;
        }
    }
    Ok(true)
}
