//! The server's own keys: the lasting one is made once, others take its place.

use deadpool_postgres::GenericClient;
use oauth::SigningKey;

use super::query::{execute, query_opt};
use crate::statements::store::{ADD_SIGNING_KEY, FIND_SIGNING_KEY, PUT_SIGNING_KEY};
use crate::stored::bytes;
use crate::{KeyUse, NewKeys, StorageError};

/// Of several processes that bring a lasting one at once, all go on with the first.
pub(super) async fn find_or_add(
    database: &impl GenericClient,
    key_use: KeyUse,
    new: &SigningKey,
) -> Result<SigningKey, StorageError> {
    if let Some(known) = find(database, key_use).await? {
        return Ok(known);
    }
    execute(database, ADD_SIGNING_KEY, &[&new.as_bytes().as_slice()]).await?;
    find(database, key_use).await?.ok_or_else(|| StorageError::corrupt("signing key"))
}

/// Puts new keys in the place of those that there are.
pub(super) async fn put(database: &impl GenericClient, keys: &NewKeys) -> Result<(), StorageError> {
    for (id, key) in keys.rows() {
        execute(database, PUT_SIGNING_KEY, &[&id, &key.as_bytes().as_slice()]).await?;
    }
    Ok(())
}

pub(super) async fn find(
    database: &impl GenericClient,
    key_use: KeyUse,
) -> Result<Option<SigningKey>, StorageError> {
    let found = query_opt(database, FIND_SIGNING_KEY, &[&key_use.id()]).await?;
    found.map(|row| Ok(SigningKey::from_bytes(bytes(row.try_get(0)?)?))).transpose()
}
