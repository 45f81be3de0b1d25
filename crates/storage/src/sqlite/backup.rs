//! Backups of a file, as it is at one moment, while others read and write it.

use std::io::Write;
use std::path::Path;

use oauth::{Moment, Timestamp};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};

use super::{SqliteStore, connection, schema};
use crate::backup::NOTHING_IN_IT;
use crate::backup::header::{Column, ColumnType, Header, Table};
use crate::backup::making::BackupMaker;
use crate::backup::row::Value;
use crate::backup::tables;
use crate::{BackupError, BackupSummary, FoundSchema, OpenError, Progress, StorageError};

const IS_TABLE: &str = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = $1";

const COLUMNS: &str = "SELECT name, type FROM pragma_table_info($1) ORDER BY cid";

/// Only tables that never give an id twice are counted there.
const LAST_ID: &str = "SELECT seq FROM sqlite_sequence WHERE name = $1";

impl SqliteStore {
    /// Writes the whole file at `path` to `out`, and returns it. The file's schema does not change.
    ///
    /// # Errors
    /// If the file cannot be read or `out` not be written.
    pub fn back_up<W: Write>(
        path: &Path,
        out: W,
        made_at: Timestamp,
        progress: Progress<'_>,
    ) -> Result<(W, BackupSummary), BackupError> {
        let mut connection = connection::open_for_checkpoints(path)?;
        if schema::find(&connection)? == FoundSchema::Empty {
            return Err(OpenError::Engine(NOTHING_IN_IT.to_owned()).into());
        }
        let snapshot = connection
            .transaction_with_behavior(TransactionBehavior::Deferred)
            .map_err(StorageError::from)?;
        let number = schema::number(&snapshot).map_err(OpenError::from)?;
        let header = Header::new(number, Moment::from(made_at).machine(), tables(&snapshot)?);
        let mut maker = BackupMaker::start(out, header.clone(), progress)?;
        for (number, table) in header.tables.iter().enumerate() {
            add_rows(&snapshot, number, table, &mut maker)?;
        }
        maker.finish()
    }
}

/// The tables that there are.
pub(super) fn tables(database: &Connection) -> Result<Vec<Table>, StorageError> {
    let mut tables = Vec::new();
    for name in tables::made_by(schema::MIGRATIONS) {
        if database.prepare(IS_TABLE)?.exists([name])? {
            tables.push(table(database, name)?);
        }
    }
    Ok(tables)
}

fn table(database: &Connection, name: &str) -> Result<Table, StorageError> {
    let mut statement = database.prepare(COLUMNS)?;
    let columns = statement.query_map([name], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let columns = columns.map(|column| {
        let (name, kind): (String, String) = column?;
        let kind = ColumnType::named(&kind);
        let kind = kind.ok_or_else(|| StorageError::corrupt(format!("the type of `{name}`")))?;
        Ok(Column { name, kind })
    });
    let count = format!("SELECT COUNT(*) FROM {name}");
    let rows: i64 = database.query_row(&count, [], |row| row.get(0))?;
    Ok(Table {
        name: name.to_owned(),
        columns: columns.collect::<Result<_, StorageError>>()?,
        rows: u64::try_from(rows).unwrap_or_default(),
        last_id: database.query_row(LAST_ID, [name], |row| row.get(0)).optional()?,
    })
}

fn add_rows<W: Write>(
    database: &Connection,
    number: usize,
    table: &Table,
    maker: &mut BackupMaker<'_, W>,
) -> Result<(), BackupError> {
    let select = format!("SELECT {} FROM {}", table.column_names(), table.name);
    let mut statement = database.prepare(&select).map_err(StorageError::from)?;
    let mut rows = statement.query([]).map_err(StorageError::from)?;
    while let Some(row) = rows.next().map_err(StorageError::from)? {
        let values: Vec<Value<'_>> = (0..table.columns.len())
            .map(|column| value(row.get_ref(column)?))
            .collect::<Result<_, StorageError>>()?;
        maker.add(number, &values)?;
    }
    Ok(())
}

fn value(stored: ValueRef<'_>) -> Result<Value<'_>, StorageError> {
    Ok(match stored {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Text(_) => Value::Text(stored.as_str()?.into()),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.into()),
        ValueRef::Real(_) => return Err(StorageError::corrupt("a number with a fraction")),
    })
}
