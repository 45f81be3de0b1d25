//! Runs a statement on a connection or within a transaction: prepared once for each connection, one round trip from then on.

use deadpool_postgres::GenericClient;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::StorageError;

/// What a statement is given.
type Value<'a> = &'a (dyn ToSql + Sync);

/// How many rows the statement changed.
pub(super) async fn execute(
    database: &impl GenericClient,
    statement: &str,
    values: &[Value<'_>],
) -> Result<u64, StorageError> {
    let prepared = database.prepare_cached(statement).await?;
    Ok(database.execute(&prepared, values).await?)
}

/// The statement's only row.
pub(super) async fn query_one(
    database: &impl GenericClient,
    statement: &str,
    values: &[Value<'_>],
) -> Result<Row, StorageError> {
    let prepared = database.prepare_cached(statement).await?;
    Ok(database.query_one(&prepared, values).await?)
}

/// The statement's row, if there is one.
pub(super) async fn query_opt(
    database: &impl GenericClient,
    statement: &str,
    values: &[Value<'_>],
) -> Result<Option<Row>, StorageError> {
    let prepared = database.prepare_cached(statement).await?;
    Ok(database.query_opt(&prepared, values).await?)
}

/// All of the statement's rows.
pub(super) async fn query(
    database: &impl GenericClient,
    statement: &str,
    values: &[Value<'_>],
) -> Result<Vec<Row>, StorageError> {
    let prepared = database.prepare_cached(statement).await?;
    Ok(database.query(&prepared, values).await?)
}

/// A text to look for. The server takes no text with a NUL in it, and so has none: `None`.
pub(super) fn storable(text: &str) -> Option<&str> {
    (!text.contains('\0')).then_some(text)
}
