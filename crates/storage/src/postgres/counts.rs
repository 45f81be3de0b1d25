//! How many there are.

use async_trait::async_trait;
use tokio_postgres::types::ToSql;

use super::PostgresStore;
use super::query::query_one;
use crate::{CountStore, Counted, StorageError};

#[async_trait]
impl CountStore for PostgresStore {
    async fn count(&self, what: Counted) -> Result<u64, StorageError> {
        let connection = self.connections.get().await?;
        let (statement, values) = what.statement();
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        let row = query_one(&connection.database, statement, &values).await?;
        Ok(u64::try_from(row.try_get::<_, i64>(0)?).unwrap_or_default())
    }
}
