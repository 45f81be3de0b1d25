//! Backups of a database, as it is at one moment, while others read and write it.

use std::io::Write;
use std::pin::pin;

use deadpool_postgres::GenericClient;
use futures_util::TryStreamExt as _;
use oauth::{Moment, Timestamp};
use secrecy::SecretString;
use tokio_postgres::{IsolationLevel, Row};

use super::connections::Connections;
use super::query::{query, query_opt};
use super::statements::transactions::TAKE_YOUR_TIME;
use super::{PostgresStore, schema};
use crate::backup::NOTHING_IN_IT;
use crate::backup::header::{Column, ColumnType, Header, Table};
use crate::backup::making::BackupMaker;
use crate::backup::row::Value;
use crate::backup::tables;
use crate::{BackupError, BackupSummary, OpenError, Progress, StorageError};

const COLUMNS: &str = "\
    SELECT column_name::TEXT, data_type::TEXT FROM information_schema.columns \
    WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position";

/// What counts the ids of a table, if anything does.
pub(super) const SEQUENCE: &str = "\
    SELECT pg_get_serial_sequence($1, column_name)::TEXT FROM information_schema.columns \
    WHERE table_schema = current_schema() AND table_name = $1 AND is_identity = 'YES'";

/// The disk that takes the rows of a backup, or gives them, may be slow.
pub(super) const WAIT_FOR_THE_DISK: &str = "SET LOCAL idle_in_transaction_session_timeout = 0";

impl PostgresStore {
    /// Writes the whole database at `address` to `out`, and returns it. The database's schema does not change.
    ///
    /// # Errors
    /// If the database cannot be read or `out` not be written.
    pub async fn back_up<W: Write>(
        address: &SecretString,
        out: W,
        made_at: Timestamp,
        progress: Progress<'_>,
    ) -> Result<(W, BackupSummary), BackupError> {
        let mut database = Connections::new(address)?.open().await?;
        let snapshot = database
            .build_transaction()
            .isolation_level(IsolationLevel::RepeatableRead)
            .read_only(true)
            .start();
        let snapshot = snapshot.await.map_err(OpenError::from)?;
        for setting in [TAKE_YOUR_TIME, WAIT_FOR_THE_DISK] {
            snapshot.batch_execute(setting).await.map_err(OpenError::from)?;
        }
        if !schema::is_ours(&snapshot).await? {
            return Err(OpenError::Engine(NOTHING_IN_IT.to_owned()).into());
        }
        schema::steps_due(&snapshot).await?;
        let number = schema::number(&snapshot).await?;
        let header = Header::new(number, Moment::from(made_at).machine(), tables(&snapshot).await?);
        let mut maker = BackupMaker::start(out, header.clone(), progress)?;
        for (number, table) in header.tables.iter().enumerate() {
            add_rows(&snapshot, number, table, &mut maker).await?;
        }
        maker.finish()
    }
}

/// The tables that there are.
pub(super) async fn tables(database: &impl GenericClient) -> Result<Vec<Table>, StorageError> {
    let mut tables = Vec::new();
    for name in tables::made_by(schema::MIGRATIONS) {
        let columns = columns(database, name).await?;
        if columns.is_empty() {
            continue;
        }
        let count = format!("SELECT COUNT(*) FROM {name}");
        // However long that takes.
        let rows: i64 = database.query_one(&*count, &[]).await?.try_get(0)?;
        let rows = u64::try_from(rows).unwrap_or_default();
        let last_id = last_id(database, name).await?;
        tables.push(Table { name: name.to_owned(), columns, rows, last_id });
    }
    Ok(tables)
}

async fn columns(database: &impl GenericClient, table: &str) -> Result<Vec<Column>, StorageError> {
    let rows = query(database, COLUMNS, &[&table]).await?;
    let column = |row: &Row| {
        let (name, kind): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let kind = ColumnType::named(&kind);
        let kind = kind.ok_or_else(|| StorageError::corrupt(format!("the type of `{name}`")))?;
        Ok(Column { name, kind })
    };
    rows.iter().map(column).collect()
}

async fn last_id(database: &impl GenericClient, table: &str) -> Result<Option<i64>, StorageError> {
    let Some(row) = query_opt(database, SEQUENCE, &[&table]).await? else { return Ok(None) };
    let sequence: String = row.try_get(0)?;
    let last = format!("SELECT last_value FROM {sequence} WHERE is_called");
    let row = query_opt(database, &last, &[]).await?;
    row.map(|row| Ok(row.try_get(0)?)).transpose()
}

/// One row after the other: all of them may be more than fits in memory.
async fn add_rows<W: Write>(
    database: &impl GenericClient,
    number: usize,
    table: &Table,
    maker: &mut BackupMaker<'_, W>,
) -> Result<(), BackupError> {
    let select = format!("SELECT {} FROM {}", table.column_names(), table.name);
    let nothing: [&str; 0] = [];
    let rows = database.query_raw(&select, nothing).await.map_err(StorageError::from)?;
    let mut rows = pin!(rows);
    while let Some(row) = rows.try_next().await.map_err(StorageError::from)? {
        let values =
            table.columns.iter().enumerate().map(|(place, column)| value(&row, place, column.kind));
        maker.add(number, &values.collect::<Result<Vec<_>, _>>()?)?;
    }
    Ok(())
}

fn value(row: &Row, place: usize, kind: ColumnType) -> Result<Value<'_>, StorageError> {
    let value = match kind {
        ColumnType::Integer => row.try_get::<_, Option<i64>>(place)?.map(Value::Integer),
        ColumnType::Text => {
            row.try_get::<_, Option<&str>>(place)?.map(|text| Value::Text(text.into()))
        }
        ColumnType::Bytes => {
            row.try_get::<_, Option<&[u8]>>(place)?.map(|bytes| Value::Bytes(bytes.into()))
        }
    };
    Ok(value.unwrap_or(Value::Null))
}
