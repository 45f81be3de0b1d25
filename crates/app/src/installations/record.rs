//! Writes the noted loads to the store, where every process sees them.

use storage::StorageError;

use crate::App;

/// Writes what is due. Until that succeeds it stays due.
///
/// # Errors
/// If the store does not answer.
pub async fn record_loads(app: &App) -> Result<(), StorageError> {
    let due = app.loads().due();
    if due.is_empty() {
        return Ok(());
    }
    app.store().record_loads(due.clone()).await?;
    app.loads().written(&due);
    Ok(())
}
