//! The server's own keys: the lasting one is made once, others take its place.

use oauth::SigningKey;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::statements::store::{ADD_SIGNING_KEY, FIND_SIGNING_KEY, PUT_SIGNING_KEY};
use crate::{KeyUse, NewKeys, StorageError};

pub(super) fn find(
    database: &Connection,
    key_use: KeyUse,
) -> Result<Option<SigningKey>, StorageError> {
    let mut statement = database.prepare_cached(FIND_SIGNING_KEY)?;
    let found: Option<[u8; 32]> =
        statement.query_row([key_use.id()], |row| row.get(0)).optional()?;
    Ok(found.map(SigningKey::from_bytes))
}

/// Of several processes that bring a lasting one at once, all go on with the first.
pub(super) fn find_or_add(
    database: &Connection,
    key_use: KeyUse,
    new: &SigningKey,
) -> Result<SigningKey, StorageError> {
    database.prepare_cached(ADD_SIGNING_KEY)?.execute([new.as_bytes()])?;
    find(database, key_use)?.ok_or_else(|| StorageError::corrupt("signing key"))
}

/// Puts new keys in the place of those that there are.
pub(super) fn put(database: &Connection, keys: &NewKeys) -> Result<(), StorageError> {
    for (id, key) in keys.rows() {
        database.prepare_cached(PUT_SIGNING_KEY)?.execute(params![id, key.as_bytes()])?;
    }
    Ok(())
}
