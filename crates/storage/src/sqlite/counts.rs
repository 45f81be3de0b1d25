//! How many there are.

use async_trait::async_trait;
use rusqlite::params_from_iter;

use super::SqliteStore;
use crate::{CountStore, Counted, StorageError};

#[async_trait]
impl CountStore for SqliteStore {
    async fn count(&self, what: Counted) -> Result<u64, StorageError> {
        let (statement, values) = what.statement();
        self.readers
            .read(move |database| {
                let mut statement = database.prepare_cached(statement)?;
                let count: i64 = statement.query_row(params_from_iter(values), |row| row.get(0))?;
                Ok(u64::try_from(count).unwrap_or_default())
            })
            .await
    }
}
