//! Restores a backup into a database that is new, or has no rows yet: in one transaction, all of it or nothing.

use std::pin::pin;

use deadpool_postgres::Transaction;
use oauth::SigningKey;
use secrecy::SecretString;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};

use super::backup::{SEQUENCE, WAIT_FOR_THE_DISK, tables};
use super::connections::Connections;
use super::query::query_opt;
use super::statements::transactions::TAKE_YOUR_TIME;
use super::{PostgresStore, grants, schema, signing_key};
use crate::backup::header::{ColumnType, Table};
use crate::backup::reading::Row;
use crate::backup::row::Value;
use crate::backup::{has_keys, refuse_rows};
use crate::{
    Backup, EndedEverything, KeyUse, NewKeys, OpenError, Progress, RestoreError, RestoreSummary,
    RestoredTokens, StorageError,
};

impl PostgresStore {
    /// Checks that a backup can be restored into the database at `address`: it has no rows but the keys that a first start makes, of which
    /// the one for files of events is returned. Nothing in it changes.
    ///
    /// # Errors
    /// If it cannot.
    pub async fn check_empty(address: &SecretString) -> Result<Option<SigningKey>, RestoreError> {
        let mut database = Connections::new(address)?.open().await?;
        schema::find(&mut database).await?;
        let transaction = database.transaction().await.map_err(OpenError::from)?;
        transaction.batch_execute(TAKE_YOUR_TIME).await.map_err(OpenError::from)?;
        let tables = tables(&transaction).await?;
        refuse_rows(&tables)?;
        if !has_keys(&tables) {
            return Ok(None);
        }
        Ok(signing_key::find(&transaction, KeyUse::EventFiles).await?)
    }

    /// Restores a backup into the database at `address`, and brings it up to date. New keys take the place of those in the backup.
    ///
    /// # Errors
    /// If that is impossible, or if there are rows already; the database is then as it was.
    pub async fn restore(
        address: &SecretString,
        backup: &mut Backup,
        tokens: RestoredTokens,
        keys: &NewKeys,
        progress: Progress<'_>,
    ) -> Result<RestoreSummary, RestoreError> {
        let steps = backup.steps(schema::MIGRATIONS)?;
        let mut database = Connections::new(address)?.open().await?;
        let transaction = schema::begin(&mut database).await?;
        transaction.batch_execute(WAIT_FOR_THE_DISK).await.map_err(OpenError::from)?;
        schema::steps_due(&transaction).await?;
        remove_empty_tables(&transaction).await?;
        schema::take(&transaction, steps.seen).await.map_err(OpenError::from)?;
        add_rows(&transaction, backup, progress).await?;
        schema::take(&transaction, steps.due).await.map_err(OpenError::from)?;
        schema::mark(&transaction).await?;
        let ended = end(&transaction, tokens).await?;
        signing_key::put(&transaction, keys).await?;
        transaction.commit().await.map_err(StorageError::from)?;
        let summary = backup.summary();
        Ok(RestoreSummary { schema: summary.schema, rows: summary.rows, ended })
    }
}

/// A database that Assay has opened before has the tables of that schema, which need not be the backup's.
async fn remove_empty_tables(database: &Transaction<'_>) -> Result<(), RestoreError> {
    let tables = tables(database).await?;
    refuse_rows(&tables)?;
    for table in tables.iter().rev() {
        let drop = format!("DROP TABLE {}", table.name);
        database.batch_execute(&drop).await.map_err(StorageError::from)?;
    }
    Ok(())
}

async fn add_rows(
    database: &Transaction<'_>,
    backup: &mut Backup,
    progress: Progress<'_>,
) -> Result<(), RestoreError> {
    let header = backup.header().clone();
    let there = tables(database).await?;
    let is_alike = there.len() == header.tables.len()
        && there.iter().zip(&header.tables).all(|(there, table)| there.has_shape_of(table));
    if !is_alike {
        return Err(RestoreError::Damaged("its tables are not those of its schema".to_owned()));
    }
    let mut rows = backup.rows()?;
    let mut next = rows.next_row()?;
    let mut done = 0;
    for (number, table) in header.tables.iter().enumerate() {
        let copy = Copy { table, number };
        next = copy
            .run(database, next, || {
                done += 1;
                progress(done, header.rows());
                rows.next_row()
            })
            .await?;
        count_on(database, table).await?;
    }
    Ok(())
}

/// The rows of one table.
struct Copy<'a> {
    table: &'a Table,
    number: usize,
}

impl Copy<'_> {
    /// Takes rows as long as they are this table's, beginning with `next`, and gives back the first that is not.
    async fn run(
        &self,
        database: &Transaction<'_>,
        mut next: Option<Row>,
        mut read: impl FnMut() -> Result<Option<Row>, RestoreError>,
    ) -> Result<Option<Row>, RestoreError> {
        let (name, columns) = (&self.table.name, self.table.column_names());
        let copy = format!("COPY {name} ({columns}) FROM STDIN BINARY");
        let sink = database.copy_in(&copy).await.map_err(StorageError::from)?;
        let types: Vec<Type> = self.table.columns.iter().map(|column| of(column.kind)).collect();
        let mut writer = pin!(BinaryCopyInWriter::new(sink, &types));
        while let Some((_, values)) = next.take_if(|(table, _)| *table == self.number) {
            let values: Vec<Box<dyn ToSql + Sync + Send>> = self
                .table
                .columns
                .iter()
                .zip(values)
                .map(|(column, value)| parameter(column.kind, value))
                .collect();
            let values: Vec<&(dyn ToSql + Sync)> =
                values.iter().map(|value| &**value as _).collect();
            writer.as_mut().write(&values).await.map_err(StorageError::from)?;
            next = read()?;
        }
        writer.finish().await.map_err(StorageError::from)?;
        Ok(next)
    }
}

fn of(kind: ColumnType) -> Type {
    match kind {
        ColumnType::Integer => Type::INT8,
        ColumnType::Text => Type::TEXT,
        ColumnType::Bytes => Type::BYTEA,
    }
}

fn parameter(kind: ColumnType, value: Value<'static>) -> Box<dyn ToSql + Sync + Send> {
    match (value, kind) {
        (Value::Integer(number), _) => Box::new(number),
        (Value::Text(text), _) => Box::new(text.into_owned()),
        (Value::Bytes(bytes), _) => Box::new(bytes.into_owned()),
        (Value::Null, ColumnType::Integer) => Box::new(None::<i64>),
        (Value::Null, ColumnType::Text) => Box::new(None::<String>),
        (Value::Null, ColumnType::Bytes) => Box::new(None::<Vec<u8>>),
    }
}

/// From now on, the table gives ids that nothing ever had.
async fn count_on(database: &Transaction<'_>, table: &Table) -> Result<(), StorageError> {
    let Some(row) = query_opt(database, SEQUENCE, &[&table.name]).await? else { return Ok(()) };
    let sequence: String = row.try_get(0)?;
    let put = format!(
        "SELECT setval('{sequence}', id, TRUE) FROM ( \
            SELECT GREATEST(COALESCE(MAX(id), 0), $1) AS id FROM {}) AS last WHERE id > 0",
        table.name
    );
    query_opt(database, &put, &[&table.last_id.unwrap_or_default()]).await?;
    Ok(())
}

async fn end(
    database: &Transaction<'_>,
    tokens: RestoredTokens,
) -> Result<Option<EndedEverything>, StorageError> {
    match tokens {
        RestoredTokens::Kept => Ok(None),
        RestoredTokens::EndedAt(now) => {
            Ok(Some(grants::end_everything_within(database, now).await?))
        }
    }
}
