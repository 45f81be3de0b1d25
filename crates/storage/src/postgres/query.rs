//! Runs a statement on a connection or within a transaction: prepared once for each connection, one round trip from then on. No caller waits
//! for an answer longer than [`ANSWERED_WITHIN`]. In a trace, each round trip has a span.

use std::collections::HashMap;
use std::sync::LazyLock;
use std::time::Duration;

use deadpool_postgres::{GenericClient, Object, Transaction};
use tokio::time::timeout;
use tokio_postgres::types::ToSql;
use tokio_postgres::{IsolationLevel, Row};

use super::statements::all as all_for_postgres;
use super::statements::transactions::TAKE_YOUR_TIME;
use crate::statements::all as all_for_both;
use crate::{StorageError, traced};

/// The server itself gives up a statement before that (`connections.rs`). If it has not said so by then, it hangs, or something between us
/// does, which no network tells. Well below the time after which a client is told that it took too long.
pub(super) const ANSWERED_WITHIN: Duration = Duration::from_secs(10);

/// What a statement is given.
type Value<'a> = &'a (dyn ToSql + Sync);

/// The names of statements, for traces.
static NAMES: LazyLock<HashMap<&str, String>> = LazyLock::new(|| {
    let statements = all_for_both().into_iter().chain(all_for_postgres());
    statements.map(|(name, statement)| (statement, name.to_lowercase())).collect()
});

/// How many rows the statement changed.
pub(super) async fn execute(
    database: &impl GenericClient,
    statement: &str,
    values: &[Value<'_>],
) -> Result<u64, StorageError> {
    round_trip(statement, async {
        let prepared = database.prepare_cached(statement).await?;
        Ok(database.execute(&prepared, values).await?)
    })
    .await
}

/// The same without a time limit, for a transaction that may take long.
pub(super) async fn execute_unhurried(
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
    round_trip(statement, async {
        let prepared = database.prepare_cached(statement).await?;
        Ok(database.query_one(&prepared, values).await?)
    })
    .await
}

/// The statement's row, if there is one.
pub(super) async fn query_opt(
    database: &impl GenericClient,
    statement: &str,
    values: &[Value<'_>],
) -> Result<Option<Row>, StorageError> {
    round_trip(statement, async {
        let prepared = database.prepare_cached(statement).await?;
        Ok(database.query_opt(&prepared, values).await?)
    })
    .await
}

/// All of the statement's rows.
pub(super) async fn query(
    database: &impl GenericClient,
    statement: &str,
    values: &[Value<'_>],
) -> Result<Vec<Row>, StorageError> {
    round_trip(statement, async {
        let prepared = database.prepare_cached(statement).await?;
        Ok(database.query(&prepared, values).await?)
    })
    .await
}

/// Begins a transaction. Dropping it rolls back what is not committed.
pub(super) async fn begin(database: &mut Object) -> Result<Transaction<'_>, StorageError> {
    round_trip("BEGIN", async { Ok(database.transaction().await?) }).await
}

/// Begins a transaction that only reads: all of it sees the database as it is at one moment.
pub(super) async fn begin_snapshot(database: &mut Object) -> Result<Transaction<'_>, StorageError> {
    let begin = database.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
    round_trip("BEGIN", async { Ok(begin.read_only(true).start().await?) }).await
}

pub(super) async fn commit(transaction: Transaction<'_>) -> Result<(), StorageError> {
    round_trip("COMMIT", async { Ok(transaction.commit().await?) }).await
}

/// A statement that cannot be prepared, or is not worth it.
pub(super) async fn run(
    database: &impl GenericClient,
    statement: &str,
) -> Result<(), StorageError> {
    round_trip(statement, async { Ok(database.batch_execute(statement).await?) }).await
}

/// Until this transaction ends, statements take as long as they take; see [`execute_unhurried`].
pub(super) async fn take_your_time(database: &impl GenericClient) -> Result<(), StorageError> {
    run(database, TAKE_YOUR_TIME).await
}

/// A text to look for. The server takes no text with a NUL in it, and so has none: `None`.
pub(super) fn storable(text: &str) -> Option<&str> {
    (!text.contains('\0')).then_some(text)
}

/// What the database answers to the statement, if it does so in time.
async fn round_trip<T>(
    statement: &str,
    answer: impl Future<Output = Result<T, StorageError>>,
) -> Result<T, StorageError> {
    let span = traced::of_postgres(|| name_of(statement));
    let silent = |_| Err(StorageError::Unavailable("the database does not answer".to_owned()));
    let in_time = async { timeout(ANSWERED_WITHIN, answer).await.unwrap_or_else(silent) };
    traced::within(span, in_time).await
}

/// What a trace calls the statement. Of one that is put together while the server runs, nothing is told.
fn name_of(statement: &str) -> &'static str {
    match statement {
        "BEGIN" => "begin",
        "COMMIT" => "commit",
        _ => NAMES.get(statement).map_or("statement", String::as_str),
    }
}
