//! Webhooks, and what is delivered to them.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Object};
use domain::{ExperimentId, ProjectId};
use oauth::Timestamp;

use super::query::{begin, commit, execute, query, query_one, query_opt, storable};
use super::{PostgresStore, audit, authority, projects};
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
impl WebhookStore for PostgresStore {
    async fn add_webhook(
        &self,
        new: (Authority, Webhook),
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        add(&mut connection.database, &new, &entry).await
    }

    async fn find_webhook(&self, id: &str) -> Result<Option<Webhook>, StorageError> {
        let Some(id) = storable(id) else { return Ok(None) };
        let connection = self.connections.get().await?;
        let found = query_opt(&connection.database, FIND_WEBHOOK, &[&id as _]).await?;
        found.map(|row| Webhook::from_row(&row)).transpose()
    }

    async fn list_webhooks(&self, project: ProjectId) -> Result<Vec<Webhook>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(project) as _];
        let rows = query(&connection.database, LIST_WEBHOOKS, &values).await?;
        rows.iter().map(Webhook::from_row).collect()
    }

    async fn change_webhook(
        &self,
        changed: (Authority, Webhook),
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        change(&mut connection.database, &changed, &entry).await
    }

    async fn remove_webhook(
        &self,
        project: ProjectId,
        id: &str,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let Some(id) = storable(id) else { return Ok(false) };
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        let values = [&id as _, &project_row_id(project) as _];
        if execute(&transaction, REMOVE_WEBHOOK, &values).await? == 0 {
            return Ok(false);
        }
        execute(&transaction, REMOVE_DELIVERIES, &[&id as _]).await?;
        execute(&transaction, REMOVE_EARLIER_ATTEMPTS, &[&id as _]).await?;
        audit::add(&transaction, &entry).await?;
        commit(transaction).await?;
        Ok(true)
    }

    async fn list_announcing_projects(&self) -> Result<Vec<ProjectId>, StorageError> {
        let connection = self.connections.get().await?;
        let rows = query(&connection.database, LIST_ANNOUNCING_PROJECTS, &[]).await?;
        rows.iter().map(|row| project_id(row.try_get(0)?)).collect()
    }

    async fn announce_result(
        &self,
        project: ProjectId,
        (experiment, mark): (ExperimentId, &str),
        announcement: Announcement,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        let values = [
            &project_row_id(project) as _,
            &experiment_row_id(experiment) as _,
            &mark as _,
            &announcement.at.as_milliseconds() as _,
        ];
        if execute(&transaction, NOTE_ANNOUNCED_RESULT, &values).await? == 0 {
            return Ok(false);
        }
        announce(&transaction, project, &announcement).await?;
        commit(transaction).await?;
        Ok(true)
    }

    async fn announce_to_webhook(
        &self,
        webhook: &str,
        Announcement { message, event, at, body }: Announcement,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        let (body, at) = (body.to_string(), at.as_milliseconds());
        let values = [&message as _, &event as _, &body as _, &at as _, &webhook as _];
        if execute(&transaction, ANNOUNCE_TO_ONE, &values).await? == 0 {
            return Ok(false);
        }
        audit::add(&transaction, &entry).await?;
        commit(transaction).await?;
        Ok(true)
    }

    async fn list_webhook_deliveries(
        &self,
        webhook: &str,
        page: ListRange,
    ) -> Result<(Vec<WebhookDelivery>, u64), StorageError> {
        let connection = self.connections.get().await?;
        let values = [&webhook as _, &i64::from(page.per_page) as _, &page.skipped() as _];
        let rows = query(&connection.database, LIST_DELIVERIES, &values).await?;
        let deliveries = rows.iter().map(WebhookDelivery::from_row);
        let at_most = i64::from(EARLIER_ATTEMPTS_AT_MOST);
        let values = [&values[..], &[&at_most as _]].concat();
        let rows = query(&connection.database, LIST_EARLIER_ATTEMPTS, &values).await?;
        let earlier: Vec<_> =
            rows.iter().map(EarlierAttempt::from_row).collect::<Result<_, _>>()?;
        let deliveries = deliveries.map(|one| one.map(|one| one.with_earlier(&earlier)));
        let deliveries = deliveries.collect::<Result<_, _>>()?;
        let count = query_one(&connection.database, COUNT_DELIVERIES, &[&webhook as _]).await?;
        let count: i64 = count.try_get(0)?;
        Ok((deliveries, u64::try_from(count).unwrap_or_default()))
    }

    async fn find_webhook_delivery(
        &self,
        webhook: &str,
        message: &str,
    ) -> Result<Option<WebhookDelivery>, StorageError> {
        let Some(message) = storable(message) else { return Ok(None) };
        let connection = self.connections.get().await?;
        let values = [&webhook as _, &message as _];
        let found = query_opt(&connection.database, FIND_DELIVERY, &values).await?;
        let Some(row) = found else { return Ok(None) };
        let delivery = WebhookDelivery::from_row(&row)?;
        let at_most = i64::from(EARLIER_ATTEMPTS_AT_MOST);
        let values = [&values[..], &[&at_most as _]].concat();
        let rows = query(&connection.database, FIND_EARLIER_ATTEMPTS, &values).await?;
        let earlier: Vec<_> =
            rows.iter().map(EarlierAttempt::from_row).collect::<Result<_, _>>()?;
        Ok(Some(delivery.with_earlier(&earlier)))
    }

    async fn list_webhook_holds(
        &self,
        project: ProjectId,
        at: Timestamp,
    ) -> Result<Vec<(String, Timestamp)>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(project) as _, &at.as_milliseconds() as _];
        let rows = query(&connection.database, LIST_HOLDS, &values).await?;
        rows.iter().map(hold_from_row).collect()
    }

    async fn redeliver_to_webhook(
        &self,
        webhook: &str,
        message: &str,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        let values = [&entry.act.at.as_milliseconds() as _, &webhook as _, &message as _];
        if execute(&transaction, REDELIVER, &values).await? == 0 {
            return Ok(false);
        }
        audit::add(&transaction, &entry).await?;
        commit(transaction).await?;
        Ok(true)
    }

    async fn next_webhook_delivery(
        &self,
        furthest: FurthestWaits,
    ) -> Result<Option<Timestamp>, StorageError> {
        let connection = self.connections.get().await?;
        let FurthestWaits { leased_until, due_at } = furthest;
        let values = [&due_at.as_milliseconds() as _, &leased_until.as_milliseconds() as _];
        let row = query_one(&connection.database, NEXT_DELIVERY, &values).await?;
        Ok(row.try_get::<_, Option<i64>>(0)?.map(Timestamp::from_milliseconds))
    }

    async fn claim_webhook_deliveries(
        &self,
        lease: Lease,
        furthest: FurthestWaits,
        at_most: u32,
    ) -> Result<Vec<WebhookDelivery>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&furthest.leased_until.as_milliseconds() as _];
        execute(&connection.database, END_FAR_LEASES, &values).await?;
        let values = [&lease.at.as_milliseconds() as _, &furthest.due_at.as_milliseconds() as _];
        execute(&connection.database, BRING_FORWARD, &values).await?;
        let values = [
            &lease.until.as_milliseconds() as _,
            &lease.at.as_milliseconds() as _,
            &OF_PROJECT_AT_ONCE as _,
            &i64::from(at_most) as _,
        ];
        let rows = query(&connection.database, CLAIM_DELIVERIES, &values).await?;
        let claimed = rows.iter().map(WebhookDelivery::from_row).collect();
        // Each was added, and its attempt before may come into the log now.
        self.clean_after(rows.len(), connection, lease.at);
        claimed
    }

    async fn settle_webhook_delivery(
        &self,
        attempt: SettledAttempt,
        switch_off: Option<SwitchOff>,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        settle(&mut connection.database, &attempt, switch_off.as_ref()).await
    }
}

async fn add(
    database: &mut Object,
    (authority, webhook): &(Authority, Webhook),
    entry: &NewAuditEntry,
) -> Result<bool, StorageError> {
    let transaction = begin(database).await?;
    projects::hold(&transaction, webhook.project).await?;
    authority::hold(&transaction, *authority, entry.act.at).await?;
    let row = WebhookRow::from(webhook);
    let values = [
        &webhook.id as _,
        &project_row_id(webhook.project) as _,
        &webhook.url as _,
        &webhook.description as _,
        &row.events as _,
        &row.is_enabled as _,
        &row.off_because as _,
        &webhook.nonce as _,
        &row.former_nonce as _,
        &row.former_until as _,
        &webhook.made_by as _,
        &webhook.made_at.as_milliseconds() as _,
        &webhook.version as _,
        &row.member as _,
        &WEBHOOKS_AT_MOST as _,
    ];
    if execute(&transaction, ADD_WEBHOOK, &values).await? == 0 {
        return Ok(false);
    }
    audit::add(&transaction, entry).await?;
    commit(transaction).await?;
    Ok(true)
}

async fn change(
    database: &mut Object,
    (authority, webhook): &(Authority, Webhook),
    entry: &NewAuditEntry,
) -> Result<bool, StorageError> {
    let transaction = begin(database).await?;
    authority::hold(&transaction, *authority, entry.act.at).await?;
    let row = WebhookRow::from(webhook);
    let values = [
        &webhook.url as _,
        &webhook.description as _,
        &row.events as _,
        &row.is_enabled as _,
        &row.off_because as _,
        &webhook.nonce as _,
        &row.former_nonce as _,
        &row.former_until as _,
        &row.member as _,
        &webhook.id as _,
        &project_row_id(webhook.project) as _,
        &webhook.version as _,
    ];
    if execute(&transaction, CHANGE_WEBHOOK, &values).await? == 0 {
        return Ok(false);
    }
    audit::add(&transaction, entry).await?;
    commit(transaction).await?;
    Ok(true)
}

/// To every webhook of the project that wants to hear of it.
pub(super) async fn announce(
    database: &impl GenericClient,
    project: ProjectId,
    Announcement { message, event, at, body }: &Announcement,
) -> Result<(), StorageError> {
    let (body, at) = (body.to_string(), at.as_milliseconds());
    let project = project_row_id(project);
    let values = [message as _, event as _, &body as _, &at as _, &project as _];
    execute(database, ANNOUNCE, &values).await?;
    Ok(())
}

/// Switches off what sends on the word of a member who is removed.
pub(super) async fn switch_off_of_removed(
    transaction: &impl GenericClient,
    removal: &ChangeRoles,
) -> Result<(), StorageError> {
    let member = removal.member.to_row();
    let values = [&OffBecause::MemberRemoved.as_str() as _, &member as _];
    for row in query(transaction, SWITCH_OFF_WEBHOOKS_OF_MEMBER, &values).await? {
        let entry = NewAuditEntry::of_webhook_of_removed(&row, removal)?;
        audit::add(transaction, &entry).await?;
    }
    Ok(())
}

async fn settle(
    database: &mut Object,
    settled: &SettledAttempt,
    switch_off: Option<&SwitchOff>,
) -> Result<bool, StorageError> {
    let transaction = begin(database).await?;
    let attempt = &settled.attempt;
    let leased_until = settled.leased_until.as_milliseconds();
    let values = [&settled.webhook as _, &settled.message as _, &leased_until as _];
    execute(&transaction, KEEP_LAST_ATTEMPT, &values).await?;
    let values = [
        &settled.due_at.map(Timestamp::as_milliseconds) as _,
        &settled.leased_anew() as _,
        &settled.outcome.as_str() as _,
        &attempt.at.as_milliseconds() as _,
        &attempt.status.map(i64::from) as _,
        &i64::from(attempt.took_ms) as _,
        &attempt.answer as _,
        &settled.webhook as _,
        &settled.message as _,
        &leased_until as _,
    ];
    if execute(&transaction, SETTLE_DELIVERY, &values).await? == 0 {
        return Ok(false);
    }
    if let Some(SwitchOff { because, url, entry }) = switch_off {
        let values = [&because.as_str() as _, &settled.webhook as _, url as _];
        if execute(&transaction, SWITCH_OFF_WEBHOOK, &values).await? > 0 {
            audit::add(&transaction, entry).await?;
        }
    }
    commit(transaction).await?;
    Ok(true)
}
