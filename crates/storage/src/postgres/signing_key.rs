//! The server's signing key: made once, then always the same.

use deadpool_postgres::GenericClient;
use oauth::SigningKey;

use super::query::{execute, query_opt};
use crate::StorageError;
use crate::statements::store::{ADD_SIGNING_KEY, FIND_SIGNING_KEY};
use crate::stored::bytes;

/// Of several processes that bring one at once, all go on with the first.
pub(super) async fn find_or_add(
    database: &impl GenericClient,
    key: &SigningKey,
) -> Result<SigningKey, StorageError> {
    if let Some(known) = find(database).await? {
        return Ok(known);
    }
    execute(database, ADD_SIGNING_KEY, &[&key.as_bytes().as_slice()]).await?;
    find(database).await?.ok_or_else(|| StorageError::corrupt("signing key"))
}

async fn find(database: &impl GenericClient) -> Result<Option<SigningKey>, StorageError> {
    let found = query_opt(database, FIND_SIGNING_KEY, &[]).await?;
    found.map(|row| Ok(SigningKey::from_bytes(bytes(row.try_get(0)?)?))).transpose()
}
