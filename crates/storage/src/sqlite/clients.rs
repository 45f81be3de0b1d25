//! Registered clients, and their rows. Their secrets are in `client_secrets.rs`.

use async_trait::async_trait;
use oauth::{Client, ClientId};
use rusqlite::{Connection, params};

use super::query::query;
use super::{SqliteStore, audit, client_secrets};
use crate::clients::differences;
use crate::invalidation::{Change, Invalidation};
use crate::statements::clients::{
    ADD_CLIENT, CHANGE_CLIENT, DISABLE_CLIENT, ENABLE_CLIENT, LIST_CLIENTS, LOOKUP_CLIENT,
    PUT_CLIENT, REMOVE_CLIENT,
};
use crate::stored::{self, ClientRow, client_and_secret, lines};
use crate::{Act, AuditEvent, ChangeClient, ClientStore, ListRange, NewAuditEntry, StorageError};

#[async_trait]
impl ClientStore for SqliteStore {
    async fn add_client(&self, client: Client, act: Act) -> Result<(), StorageError> {
        self.writer.write(Some(act.at), move |database| add(database, &client, act)).await
    }

    async fn put_client(&self, client: Client, act: Act) -> Result<(), StorageError> {
        self.change_tokens(act.at, move |database| put(database, &client, act)).await
    }

    async fn lookup_client(&self, client_id: &ClientId) -> Result<Option<Client>, StorageError> {
        self.readers.read_at_once(|database| lookup(database, client_id))
    }

    async fn list_clients(&self, page: ListRange) -> Result<Vec<Client>, StorageError> {
        self.readers.read(move |database| list(database, page)).await
    }

    async fn change_client(&self, asked: ChangeClient, act: Act) -> Result<bool, StorageError> {
        self.writer.write(Some(act.at), move |database| change(database, &asked, act)).await
    }

    async fn disable_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError> {
        let client_id = client_id.clone();
        self.change_tokens(act.at, move |database| disable(database, &client_id, act)).await
    }

    async fn enable_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError> {
        let client_id = client_id.clone();
        self.writer.write(Some(act.at), move |database| enable(database, &client_id, act)).await
    }

    async fn remove_client(&self, client_id: &ClientId, act: Act) -> Result<bool, StorageError> {
        let client_id = client_id.clone();
        self.change_tokens(act.at, move |database| remove(database, &client_id, act)).await
    }
}

pub(super) fn add(database: &Connection, client: &Client, act: Act) -> Result<(), StorageError> {
    write(database, ADD_CLIENT, client)?;
    for secret in &client.secrets {
        client_secrets::insert(database, &client.client_id, secret)?;
    }
    note(database, AuditEvent::ApplicationAdded, &client.client_id, &client.name, act)
}

/// Writes only what differs: a server that starts again declares what it declared before.
pub(super) fn put(
    database: &Connection,
    client: &Client,
    act: Act,
) -> Result<((), Change), StorageError> {
    let Some(before) = lookup(database, &client.client_id)? else {
        return Ok((add(database, client, act)?, Change::Nothing));
    };
    let Some(differences) = differences(&before, client) else { return Ok(((), Change::Nothing)) };
    write(database, PUT_CLIENT, client)?;
    client_secrets::replace(database, &before, &client.secrets)?;
    note(database, AuditEvent::ApplicationChanged, &client.client_id, &differences, act)?;
    Ok(((), Change::Ended(Invalidation::Everything)))
}

pub(super) fn change(
    database: &Connection,
    change: &ChangeClient,
    act: Act,
) -> Result<bool, StorageError> {
    let redirect_uris = change.redirect_uris.as_deref().map(lines);
    let values = params![
        change.name,
        redirect_uris,
        change.scope.map(|scope| scope.to_string()),
        change.client_id.as_str(),
        change.name_before,
        lines(&change.redirect_uris_before),
        change.scope_before.map(|scope| scope.to_string()),
    ];
    if database.prepare_cached(CHANGE_CLIENT)?.execute(values)? == 0 {
        return Ok(false);
    }
    note(database, AuditEvent::ApplicationChanged, &change.client_id, &change.parts(), act)?;
    Ok(true)
}

pub(super) fn disable(
    database: &Connection,
    client_id: &ClientId,
    act: Act,
) -> Result<(bool, Change), StorageError> {
    let values = params![act.at.as_milliseconds(), client_id.as_str()];
    if database.prepare_cached(DISABLE_CLIENT)?.execute(values)? == 0 {
        return Ok((lookup(database, client_id)?.is_some(), Change::Nothing));
    }
    note(database, AuditEvent::ApplicationDisabled, client_id, "", act)?;
    Ok((true, Change::Ended(Invalidation::Everything)))
}

pub(super) fn enable(
    database: &Connection,
    client_id: &ClientId,
    act: Act,
) -> Result<bool, StorageError> {
    if database.prepare_cached(ENABLE_CLIENT)?.execute([client_id.as_str()])? == 0 {
        return Ok(lookup(database, client_id)?.is_some());
    }
    note(database, AuditEvent::ApplicationEnabled, client_id, "", act)?;
    Ok(true)
}

/// The client's secrets, consents, codes and tokens go with it.
pub(super) fn remove(
    database: &Connection,
    client_id: &ClientId,
    act: Act,
) -> Result<(bool, Change), StorageError> {
    let Some(before) = lookup(database, client_id)? else { return Ok((false, Change::Nothing)) };
    database.prepare_cached(REMOVE_CLIENT)?.execute([client_id.as_str()])?;
    note(database, AuditEvent::ApplicationRemoved, client_id, &before.name, act)?;
    Ok((true, Change::Ended(Invalidation::Everything)))
}

pub(super) fn note(
    database: &Connection,
    event: AuditEvent,
    client_id: &ClientId,
    detail: &str,
    act: Act,
) -> Result<(), StorageError> {
    audit::add(database, &NewAuditEntry::of_client(event, client_id, detail, act))
}

fn write(database: &Connection, statement: &str, client: &Client) -> Result<(), StorageError> {
    let ClientRow { client_id, name, kind, redirect_uris, origin, scope } = client.into();
    let values = params![client_id, name, kind, redirect_uris, origin, scope];
    database.prepare_cached(statement)?.execute(values)?;
    Ok(())
}

pub(super) fn lookup(
    database: &Connection,
    client_id: &ClientId,
) -> Result<Option<Client>, StorageError> {
    let rows = query(database, LOOKUP_CLIENT, [client_id.as_str()], |row| client_and_secret(row))?;
    Ok(stored::clients(rows).pop())
}

pub(super) fn list(database: &Connection, page: ListRange) -> Result<Vec<Client>, StorageError> {
    let values = params![page.per_page, page.skipped()];
    Ok(stored::clients(query(database, LIST_CLIENTS, values, |row| client_and_secret(row))?))
}
