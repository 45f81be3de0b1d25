//! The server's signing key: made once, then always the same.

use oauth::SigningKey;
use rusqlite::{Connection, OptionalExtension as _};

use crate::StorageError;
use crate::statements::store::{ADD_SIGNING_KEY, FIND_SIGNING_KEY};

pub(super) fn find(database: &Connection) -> Result<Option<SigningKey>, StorageError> {
    let mut statement = database.prepare_cached(FIND_SIGNING_KEY)?;
    let found: Option<[u8; 32]> = statement.query_row([], |row| row.get(0)).optional()?;
    Ok(found.map(SigningKey::from_bytes))
}

/// Of several processes that bring one at once, all go on with the first.
pub(super) fn find_or_add(
    database: &Connection,
    key: &SigningKey,
) -> Result<SigningKey, StorageError> {
    database.prepare_cached(ADD_SIGNING_KEY)?.execute([key.as_bytes()])?;
    find(database)?.ok_or_else(|| StorageError::corrupt("signing key"))
}
