//! Clients, and what members allowed them.

use deadpool_postgres::GenericClient;
use oauth::{Client, ClientId, ScopeSet};
use tokio_postgres::Row;

use super::query::{execute, query_opt};
use crate::statements::{ADD_CLIENT, FIND_CONSENT, LOOKUP_CLIENT, PUT_CLIENT};
use crate::stored::{ClientRow, scope};
use crate::{MemberId, StorageError};

pub(super) async fn add(
    database: &impl GenericClient,
    client: &Client,
) -> Result<(), StorageError> {
    write(database, ADD_CLIENT, client).await
}

pub(super) async fn put(
    database: &impl GenericClient,
    client: &Client,
) -> Result<(), StorageError> {
    write(database, PUT_CLIENT, client).await
}

async fn write(
    database: &impl GenericClient,
    statement: &str,
    client: &Client,
) -> Result<(), StorageError> {
    let ClientRow { client_id, name, kind, redirect_uris, secret_hashes } = client.into();
    let values =
        [&client_id as _, &name as _, &kind as _, &redirect_uris as _, &secret_hashes as _];
    execute(database, statement, &values).await?;
    Ok(())
}

pub(super) async fn lookup(
    database: &impl GenericClient,
    client_id: &ClientId,
) -> Result<Option<Client>, StorageError> {
    let found = query_opt(database, LOOKUP_CLIENT, &[&client_id.as_str()]).await?;
    found.map(|row| client_row(&row)?.try_into()).transpose()
}

fn client_row(row: &Row) -> Result<ClientRow, StorageError> {
    Ok(ClientRow {
        client_id: row.try_get(0)?,
        name: row.try_get(1)?,
        kind: row.try_get(2)?,
        redirect_uris: row.try_get(3)?,
        secret_hashes: row.try_get(4)?,
    })
}

pub(super) async fn find_consent(
    database: &impl GenericClient,
    member: MemberId,
    client_id: &ClientId,
) -> Result<Option<ScopeSet>, StorageError> {
    let values = [&member.to_row() as _, &client_id.as_str() as _];
    let found = query_opt(database, FIND_CONSENT, &values).await?;
    found.map(|row| scope(row.try_get(0)?)).transpose()
}
