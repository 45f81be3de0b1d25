//! The secrets of clients.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Object, Transaction};
use oauth::{Client, ClientId, ClientSecret, SECRET_USE_NOTED_AFTER, Timestamp};

use super::query::{begin, commit, execute, storable};
use super::{PostgresStore, clients};
use crate::client_secrets::{SecretChanges, compare, refuse_addition};
use crate::invalidation::Change;
use crate::statements::clients::{ADD_CLIENT_SECRET, NOTE_SECRET_USE, REMOVE_CLIENT_SECRET};
use crate::{Act, AddSecretOutcome, AuditEvent, ClientSecretStore, StorageError};

#[async_trait]
impl ClientSecretStore for PostgresStore {
    async fn add_client_secret(
        &self,
        client_id: &ClientId,
        secret: ClientSecret,
        act: Act,
    ) -> Result<AddSecretOutcome, StorageError> {
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        clients::lock(&transaction, client_id).await?;
        let client = clients::lookup(&transaction, client_id).await?;
        if let Some(refused) = refuse_addition(client.as_ref()) {
            return Ok(refused);
        }
        insert(&transaction, client_id, &secret).await?;
        clients::note(&transaction, AuditEvent::SecretAdded, client_id, &secret.id, act).await?;
        commit(transaction).await?;
        Ok(AddSecretOutcome::Added)
    }

    async fn remove_client_secret(
        &self,
        client_id: &ClientId,
        id: &str,
        act: Act,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let done = remove(&mut connection.database, client_id, id, act).await?;
        Ok(self.answer(epoch, done))
    }

    async fn note_secret_use(
        &self,
        client_id: &ClientId,
        id: &str,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        // Of several requests that use a secret at once, the first writes it down.
        let connection = self.connections.get().await?;
        let noted_before = (now - SECRET_USE_NOTED_AFTER).as_milliseconds();
        let now = now.as_milliseconds();
        let values = [&now as _, &client_id.as_str() as _, &id as _, &noted_before as _];
        execute(&connection.database, NOTE_SECRET_USE, &values).await?;
        Ok(())
    }
}

pub(super) async fn insert(
    database: &impl GenericClient,
    client_id: &ClientId,
    secret: &ClientSecret,
) -> Result<(), StorageError> {
    let values = [
        &client_id.as_str() as _,
        &secret.id as _,
        &secret.hash.as_bytes().as_slice() as _,
        &secret.note as _,
        &secret.created_at.as_milliseconds() as _,
    ];
    execute(database, ADD_CLIENT_SECRET, &values).await?;
    Ok(())
}

pub(super) async fn remove(
    database: &mut Object,
    client_id: &ClientId,
    id: &str,
    act: Act,
) -> Result<(bool, Change), StorageError> {
    let Some(id) = storable(id) else { return Ok((false, Change::Nothing)) };
    let transaction = begin(database).await?;
    if !delete(&transaction, client_id, id).await? {
        return Ok((false, Change::Nothing));
    }
    clients::note(&transaction, AuditEvent::SecretRemoved, client_id, id, act).await?;
    let change = clients::tell(&transaction).await?;
    commit(transaction).await?;
    Ok((true, change))
}

async fn delete(
    database: &impl GenericClient,
    client_id: &ClientId,
    id: &str,
) -> Result<bool, StorageError> {
    Ok(execute(database, REMOVE_CLIENT_SECRET, &[&client_id.as_str(), &id]).await? > 0)
}

/// Makes these the secrets of a client.
pub(super) async fn replace(
    transaction: &Transaction<'_>,
    client: &Client,
    secrets: &[ClientSecret],
) -> Result<(), StorageError> {
    let SecretChanges { gone, added } = compare(&client.secrets, secrets);
    for secret in gone {
        delete(transaction, &client.client_id, &secret.id).await?;
    }
    for secret in added {
        insert(transaction, &client.client_id, secret).await?;
    }
    Ok(())
}
