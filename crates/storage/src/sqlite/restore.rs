//! Restores a backup into a file that is new, or has no rows yet: in one transaction, all of it or nothing.

use std::fs;
use std::path::Path;

use oauth::SigningKey;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, TransactionBehavior, params_from_iter};

use super::backup::tables;
use super::{SqliteStore, connection, grants, schema, signing_key};
use crate::backup::header::Table;
use crate::backup::row::Value;
use crate::backup::{has_keys, refuse_rows};
use crate::{
    Backup, EndedEverything, KeyUse, NewKeys, OpenError, Progress, RestoreError, RestoreSummary,
    RestoredTokens, StorageError,
};

const PUT_LAST_ID: &str = "UPDATE sqlite_sequence SET seq = MAX(seq, $1) WHERE name = $2";

/// A table has no such row before it had one of its own.
const ADD_LAST_ID: &str = "\
    INSERT INTO sqlite_sequence (name, seq) SELECT $2, $1 \
    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = $2)";

/// A table that never gives an id twice says so.
const NEVER_GIVES_AN_ID_TWICE: &str = "\
    SELECT 1 FROM sqlite_schema \
    WHERE type = 'table' AND name = $1 AND sql LIKE '%PRIMARY KEY AUTOINCREMENT%'";

impl SqliteStore {
    /// Checks that a backup can be restored into the file at `path`: there is none, or it has no rows but the keys that a first start makes,
    /// of which the one for files of events is returned. Nothing in it changes.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check_empty(path: &Path) -> Result<Option<SigningKey>, RestoreError> {
        if !path.exists() {
            return Ok(None);
        }
        let connection = connection::open_for_checkpoints(path)?;
        schema::find(&connection)?;
        let tables = tables(&connection)?;
        refuse_rows(&tables)?;
        if !has_keys(&tables) {
            return Ok(None);
        }
        Ok(signing_key::find(&connection, KeyUse::EventFiles)?)
    }

    /// Restores a backup into the file at `path`, creating it (for its owner alone), and brings it up to date. New keys take the place of
    /// those in the backup.
    ///
    /// # Errors
    /// If that is impossible, or if there are rows already; the file is then as it was.
    pub fn restore(
        path: &Path,
        backup: &mut Backup,
        tokens: RestoredTokens,
        keys: &NewKeys,
        progress: Progress<'_>,
    ) -> Result<RestoreSummary, RestoreError> {
        backup.steps(schema::MIGRATIONS)?;
        let is_new = !path.exists();
        let restored = connection::open_as_it_is(path)
            .map_err(RestoreError::from)
            .and_then(|mut connection| restore(&mut connection, backup, tokens, keys, progress));
        if is_new && restored.is_err() {
            remove(path);
        }
        restored
    }
}

fn restore(
    connection: &mut Connection,
    backup: &mut Backup,
    tokens: RestoredTokens,
    keys: &NewKeys,
    progress: Progress<'_>,
) -> Result<RestoreSummary, RestoreError> {
    let steps = backup.steps(schema::MIGRATIONS)?;
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(StorageError::from)?;
    schema::steps_due(&transaction)?;
    remove_empty_tables(&transaction)?;
    schema::take(&transaction, steps.seen).map_err(OpenError::from)?;
    add_rows(&transaction, backup, progress)?;
    schema::take(&transaction, steps.due).map_err(OpenError::from)?;
    schema::mark(&transaction).map_err(OpenError::from)?;
    let ended = end(&transaction, tokens)?;
    signing_key::put(&transaction, keys)?;
    transaction.commit().map_err(StorageError::from)?;
    let summary = backup.summary();
    Ok(RestoreSummary { schema: summary.schema, rows: summary.rows, ended })
}

/// A file that Assay has opened before has the tables of that schema, which need not be the backup's.
fn remove_empty_tables(database: &Connection) -> Result<(), RestoreError> {
    let tables = tables(database)?;
    refuse_rows(&tables)?;
    for table in tables.iter().rev() {
        let drop = format!("DROP TABLE {}", table.name);
        database.execute_batch(&drop).map_err(StorageError::from)?;
    }
    Ok(())
}

fn add_rows(
    database: &Connection,
    backup: &mut Backup,
    progress: Progress<'_>,
) -> Result<(), RestoreError> {
    let header = backup.header().clone();
    let there = tables(database)?;
    let is_alike = there.len() == header.tables.len()
        && there.iter().zip(&header.tables).all(|(there, table)| there.has_shape_of(table));
    if !is_alike {
        return Err(RestoreError::Damaged("its tables are not those of its schema".to_owned()));
    }
    let inserts: Vec<String> = header.tables.iter().map(insert).collect();
    let mut rows = backup.rows()?;
    let mut done = 0;
    while let Some((table, row)) = rows.next_row()? {
        let mut statement = database.prepare_cached(&inserts[table]).map_err(StorageError::from)?;
        statement.execute(params_from_iter(&row)).map_err(StorageError::from)?;
        done += 1;
        progress(done, header.rows());
    }
    put_last_ids(database, &header.tables)?;
    Ok(())
}

fn insert(table: &Table) -> String {
    let places: Vec<String> =
        (1..=table.columns.len()).map(|number| format!("${number}")).collect();
    let (name, columns, places) = (&table.name, table.column_names(), places.join(", "));
    format!("INSERT INTO {name} ({columns}) VALUES ({places})")
}

fn put_last_ids(database: &Connection, tables: &[Table]) -> Result<(), StorageError> {
    for table in tables {
        let Some(last_id) = table.last_id else { continue };
        if database.prepare(NEVER_GIVES_AN_ID_TWICE)?.exists([&table.name])? {
            database.execute(PUT_LAST_ID, (last_id, &table.name))?;
            database.execute(ADD_LAST_ID, (last_id, &table.name))?;
        }
    }
    Ok(())
}

fn end(
    database: &Connection,
    tokens: RestoredTokens,
) -> Result<Option<EndedEverything>, StorageError> {
    match tokens {
        RestoredTokens::Kept => Ok(None),
        RestoredTokens::EndedAt(now) => {
            let (ended, _) = grants::end_everything(database, now)?;
            Ok(Some(ended))
        }
    }
}

/// What was made for nothing.
fn remove(path: &Path) {
    for companion in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(companion);
        let _is_gone_already = fs::remove_file(name);
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
