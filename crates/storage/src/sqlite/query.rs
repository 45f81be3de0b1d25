//! Runs a statement that is prepared once for each connection, and reads its rows.

use rusqlite::{Connection, Params, Row};

use crate::StorageError;

/// How many rows the statement changed.
pub(super) fn execute(
    database: &Connection,
    statement: &str,
    values: impl Params,
) -> Result<usize, StorageError> {
    Ok(database.prepare_cached(statement)?.execute(values)?)
}

/// Whether the statement has a row.
pub(super) fn exists(
    database: &Connection,
    statement: &str,
    values: impl Params,
) -> Result<bool, StorageError> {
    Ok(database.prepare_cached(statement)?.exists(values)?)
}

/// All of the statement's rows.
pub(super) fn query<T>(
    database: &Connection,
    statement: &str,
    values: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, StorageError>,
) -> Result<Vec<T>, StorageError> {
    let mut statement = database.prepare_cached(statement)?;
    let mut rows = statement.query(values)?;
    let mut read_rows = Vec::new();
    while let Some(row) = rows.next()? {
        read_rows.push(read(row)?);
    }
    Ok(read_rows)
}

/// The statement's row, if there is one.
pub(super) fn query_opt<T>(
    database: &Connection,
    statement: &str,
    values: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, StorageError>,
) -> Result<Option<T>, StorageError> {
    let mut statement = database.prepare_cached(statement)?;
    let mut rows = statement.query(values)?;
    rows.next()?.map(read).transpose()
}
