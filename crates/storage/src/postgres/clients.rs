//! Registered clients, and their rows. Their secrets are in `client_secrets.rs`.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Object, Transaction};
use oauth::{Client, ClientId};

use super::query::{
    begin, commit, execute, execute_unhurried, query, query_one, query_opt, take_your_time,
};
use super::statements::clients::LOCK_CLIENT;
use super::statements::grants::TELL;
use super::{PostgresStore, TRIES, audit, client_secrets};
use crate::clients::differences;
use crate::invalidation::{Change, Invalidation};
use crate::statements::clients::{
    ADD_CLIENT, CHANGE_CLIENT, DISABLE_CLIENT, ENABLE_CLIENT, LIST_CLIENTS, LOOKUP_CLIENT,
    PUT_CLIENT, REMOVE_CLIENT,
};
use crate::stored::{self, ClientRow, client_and_secret, lines};
use crate::{Act, AuditEvent, ChangeClient, ClientStore, ListRange, NewAuditEntry, StorageError};

#[async_trait]
impl ClientStore for PostgresStore {
    async fn add_client(&self, client: Client, act: Act) -> Result<(), StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        add(&transaction, &client, act).await?;
        commit(transaction).await
    }

    async fn put_client(&self, client: Client, act: Act) -> Result<(), StorageError> {
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let mut tries = 0..TRIES;
        let change = loop {
            match put(&mut connection.database, &client, act).await {
                Err(StorageError::Conflict) if tries.next().is_some() => {}
                done => break done?,
            }
        };
        self.cache.apply(epoch, change);
        Ok(())
    }

    async fn lookup_client(&self, client_id: &ClientId) -> Result<Option<Client>, StorageError> {
        let connection = self.connections.get().await?;
        lookup(&connection.database, client_id).await
    }

    async fn list_clients(&self, page: ListRange) -> Result<Vec<Client>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&i64::from(page.per_page) as _, &page.skipped() as _];
        let rows = query(&connection.database, LIST_CLIENTS, &values).await?;
        Ok(stored::clients(rows.iter().map(client_and_secret).collect::<Result<_, _>>()?))
    }

    async fn change_client(&self, asked: ChangeClient, act: Act) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        change(&mut connection.database, &asked, act).await
    }

    async fn disable_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let done = disable(&mut connection.database, client_id, act).await?;
        Ok(self.answer(epoch, done))
    }

    async fn enable_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        if execute(&transaction, ENABLE_CLIENT, &[&client_id.as_str()]).await? == 0 {
            return Ok(lookup(&transaction, client_id).await?.is_some());
        }
        note(&transaction, AuditEvent::ApplicationEnabled, client_id, "", act).await?;
        commit(transaction).await?;
        Ok(true)
    }

    async fn remove_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let done = remove(&mut connection.database, client_id, act).await?;
        Ok(self.answer(epoch, done))
    }
}

async fn add(transaction: &Transaction<'_>, client: &Client, act: Act) -> Result<(), StorageError> {
    write(transaction, ADD_CLIENT, client).await?;
    for secret in &client.secrets {
        client_secrets::insert(transaction, &client.client_id, secret).await?;
    }
    let event = AuditEvent::ApplicationAdded;
    note(transaction, event, &client.client_id, &client.name, act).await
}

/// Writes only what differs: a server that starts again declares what it declared before. Of several that declare a new one at once,
/// one adds it, and the others are told so and find it then.
pub(super) async fn put(
    database: &mut Object,
    client: &Client,
    act: Act,
) -> Result<Change, StorageError> {
    let transaction = begin(database).await?;
    lock(&transaction, &client.client_id).await?;
    let change = if let Some(before) = lookup(&transaction, &client.client_id).await? {
        replace(&transaction, &before, client, act).await?
    } else {
        add(&transaction, client, act).await?;
        Change::Nothing
    };
    commit(transaction).await?;
    Ok(change)
}

async fn replace(
    transaction: &Transaction<'_>,
    before: &Client,
    client: &Client,
    act: Act,
) -> Result<Change, StorageError> {
    let Some(differences) = differences(before, client) else { return Ok(Change::Nothing) };
    write(transaction, PUT_CLIENT, client).await?;
    client_secrets::replace(transaction, before, &client.secrets).await?;
    let event = AuditEvent::ApplicationChanged;
    note(transaction, event, &client.client_id, &differences, act).await?;
    tell(transaction).await
}

pub(super) async fn change(
    database: &mut Object,
    change: &ChangeClient,
    act: Act,
) -> Result<bool, StorageError> {
    let transaction = begin(database).await?;
    let redirect_uris = change.redirect_uris.as_deref().map(lines);
    let values = [
        &change.name as _,
        &redirect_uris as _,
        &change.scope.map(|scope| scope.to_string()) as _,
        &change.client_id.as_str() as _,
        &change.name_before as _,
        &lines(&change.redirect_uris_before) as _,
        &change.scope_before.map(|scope| scope.to_string()) as _,
    ];
    let is_known = execute(&transaction, CHANGE_CLIENT, &values).await? > 0;
    if is_known {
        let event = AuditEvent::ApplicationChanged;
        note(&transaction, event, &change.client_id, &change.parts(), act).await?;
    }
    commit(transaction).await?;
    Ok(is_known)
}

pub(super) async fn disable(
    database: &mut Object,
    client_id: &ClientId,
    act: Act,
) -> Result<(bool, Change), StorageError> {
    let transaction = begin(database).await?;
    let values = [&act.at.as_milliseconds() as _, &client_id.as_str() as _];
    if execute(&transaction, DISABLE_CLIENT, &values).await? == 0 {
        return Ok((lookup(&transaction, client_id).await?.is_some(), Change::Nothing));
    }
    note(&transaction, AuditEvent::ApplicationDisabled, client_id, "", act).await?;
    let change = tell(&transaction).await?;
    commit(transaction).await?;
    Ok((true, change))
}

/// The client's secrets, consents, codes and tokens go with it.
pub(super) async fn remove(
    database: &mut Object,
    client_id: &ClientId,
    act: Act,
) -> Result<(bool, Change), StorageError> {
    let transaction = begin(database).await?;
    let Some(before) = lookup(&transaction, client_id).await? else {
        return Ok((false, Change::Nothing));
    };
    take_your_time(&transaction).await?;
    if execute_unhurried(&transaction, REMOVE_CLIENT, &[&client_id.as_str()]).await? == 0 {
        return Ok((false, Change::Nothing));
    }
    note(&transaction, AuditEvent::ApplicationRemoved, client_id, &before.name, act).await?;
    let change = tell(&transaction).await?;
    commit(transaction).await?;
    Ok((true, change))
}

/// Until this transaction ends, no other one changes this client; returns whether there is one.
pub(super) async fn lock(
    transaction: &Transaction<'_>,
    client_id: &ClientId,
) -> Result<bool, StorageError> {
    Ok(query_opt(transaction, LOCK_CLIENT, &[&client_id.as_str()]).await?.is_some())
}

/// Tells all processes, once the transaction is committed, that tokens may have ended. People do this, and seldom: which ones it
/// was is not worth telling.
pub(super) async fn tell(transaction: &Transaction<'_>) -> Result<Change, StorageError> {
    query_one(transaction, TELL, &[&Invalidation::Everything.to_string()]).await?;
    Ok(Change::Ended(Invalidation::Everything))
}

pub(super) async fn note(
    database: &impl GenericClient,
    event: AuditEvent,
    client_id: &ClientId,
    detail: &str,
    act: Act,
) -> Result<(), StorageError> {
    audit::add(database, &NewAuditEntry::of_client(event, client_id, detail, act)).await
}

async fn write(
    database: &impl GenericClient,
    statement: &str,
    client: &Client,
) -> Result<(), StorageError> {
    let ClientRow { client_id, name, kind, redirect_uris, origin, scope } = client.into();
    let values =
        [&client_id as _, &name as _, &kind as _, &redirect_uris as _, &origin as _, &scope as _];
    execute(database, statement, &values).await?;
    Ok(())
}

pub(super) async fn lookup(
    database: &impl GenericClient,
    client_id: &ClientId,
) -> Result<Option<Client>, StorageError> {
    let rows = query(database, LOOKUP_CLIENT, &[&client_id.as_str()]).await?;
    let rows = rows.iter().map(client_and_secret).collect::<Result<_, _>>()?;
    Ok(stored::clients(rows).pop())
}
