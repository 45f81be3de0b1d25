//! Seals entries of the audit log soon after they were written, not in the same commit: otherwise every act would have to wait for the one
//! before it. docs/decisions/0012 gives the reasons.

use storage::StorageError;

use super::verify::overdue;
use crate::App;

/// Seals all entries that are complete.
///
/// # Errors
/// If the store does not answer.
pub async fn seal_audit(app: &App) -> Result<(), StorageError> {
    while app.store().seal_audit_entries(app.now()).await? {}
    Ok(())
}

/// Seals what a command wrote, since perhaps no server runs. If an entry has lacked its seal for too long, an attacker may have removed the
/// seal: we leave it for `assay audit verify` to find.
///
/// # Errors
/// If the store does not answer.
pub async fn seal_audit_beside(app: &App) -> Result<(), StorageError> {
    let unsealed = app.store().unsealed_span().await?;
    if unsealed.is_some_and(|unsealed| overdue(unsealed, app.now()).is_none()) {
        seal_audit(app).await?;
    }
    Ok(())
}
