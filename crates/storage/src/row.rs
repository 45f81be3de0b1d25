//! Reads the columns of a row, alike from both databases: the file of a subject says once which column is what.

use rusqlite::types::FromSql as FromSqlite;
use tokio_postgres::types::FromSql as FromPostgres;

use crate::StorageError;

/// A row that a database gave.
pub(crate) trait Row {
    /// The value of the column with this number, from 0.
    fn column<T: Column>(&self, number: usize) -> Result<T, StorageError>;
}

/// What both databases can give.
pub(crate) trait Column: FromSqlite + for<'a> FromPostgres<'a> {}

impl<T: FromSqlite + for<'a> FromPostgres<'a>> Column for T {}

impl Row for rusqlite::Row<'_> {
    fn column<T: Column>(&self, number: usize) -> Result<T, StorageError> {
        Ok(self.get(number)?)
    }
}

impl Row for tokio_postgres::Row {
    fn column<T: Column>(&self, number: usize) -> Result<T, StorageError> {
        Ok(self.try_get(number)?)
    }
}
