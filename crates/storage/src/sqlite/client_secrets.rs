//! The secrets of clients.

use async_trait::async_trait;
use oauth::{Client, ClientId, ClientSecret, SECRET_USE_NOTED_AFTER, Timestamp};
use rusqlite::{Connection, params};

use super::{SqliteStore, clients};
use crate::client_secrets::{SecretChanges, compare, refuse_addition};
use crate::invalidation::{Change, Invalidation};
use crate::statements::clients::{ADD_CLIENT_SECRET, NOTE_SECRET_USE, REMOVE_CLIENT_SECRET};
use crate::{Act, AddSecretOutcome, AuditEvent, ClientSecretStore, StorageError};

#[async_trait]
impl ClientSecretStore for SqliteStore {
    async fn add_client_secret(
        &self,
        client_id: &ClientId,
        secret: ClientSecret,
        act: Act,
    ) -> Result<AddSecretOutcome, StorageError> {
        let client_id = client_id.clone();
        self.writer
            .write(Some(act.at), move |database| add(database, &client_id, &secret, act))
            .await
    }

    async fn remove_client_secret(
        &self,
        client_id: &ClientId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError> {
        let (client_id, id) = (client_id.clone(), id.to_owned());
        self.change_tokens(act.at, move |database| remove(database, &client_id, &id, act)).await
    }

    async fn note_secret_use(
        &self,
        client_id: &ClientId,
        id: &str,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let (client_id, id) = (client_id.clone(), id.to_owned());
        self.writer.write(Some(now), move |database| note_use(database, &client_id, &id, now)).await
    }
}

pub(super) fn add(
    database: &Connection,
    client_id: &ClientId,
    secret: &ClientSecret,
    act: Act,
) -> Result<AddSecretOutcome, StorageError> {
    let client = clients::lookup(database, client_id)?;
    if let Some(refused) = refuse_addition(client.as_ref()) {
        return Ok(refused);
    }
    insert(database, client_id, secret)?;
    clients::note(database, AuditEvent::SecretAdded, client_id, &secret.id, act)?;
    Ok(AddSecretOutcome::Added)
}

pub(super) fn insert(
    database: &Connection,
    client_id: &ClientId,
    secret: &ClientSecret,
) -> Result<(), StorageError> {
    database.prepare_cached(ADD_CLIENT_SECRET)?.execute(params![
        client_id.as_str(),
        secret.id,
        secret.hash.as_bytes(),
        secret.note,
        secret.created_at.as_milliseconds(),
    ])?;
    Ok(())
}

pub(super) fn remove(
    database: &Connection,
    client_id: &ClientId,
    id: &str,
    act: Act,
) -> Result<(bool, Change), StorageError> {
    if !delete(database, client_id, id)? {
        return Ok((false, Change::Nothing));
    }
    clients::note(database, AuditEvent::SecretRemoved, client_id, id, act)?;
    Ok((true, Change::Ended(Invalidation::Everything)))
}

fn delete(database: &Connection, client_id: &ClientId, id: &str) -> Result<bool, StorageError> {
    let values = params![client_id.as_str(), id];
    Ok(database.prepare_cached(REMOVE_CLIENT_SECRET)?.execute(values)? > 0)
}

/// Makes these the secrets of a client.
pub(super) fn replace(
    database: &Connection,
    client: &Client,
    secrets: &[ClientSecret],
) -> Result<(), StorageError> {
    let SecretChanges { gone, added } = compare(&client.secrets, secrets);
    for secret in gone {
        delete(database, &client.client_id, &secret.id)?;
    }
    added.into_iter().try_for_each(|secret| insert(database, &client.client_id, secret))
}

/// Of several requests that use a secret at once, the first writes it down.
pub(super) fn note_use(
    database: &Connection,
    client_id: &ClientId,
    id: &str,
    now: Timestamp,
) -> Result<(), StorageError> {
    database.prepare_cached(NOTE_SECRET_USE)?.execute(params![
        now.as_milliseconds(),
        client_id.as_str(),
        id,
        (now - SECRET_USE_NOTED_AFTER).as_milliseconds(),
    ])?;
    Ok(())
}
