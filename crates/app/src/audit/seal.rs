//! Entries of the audit log are sealed soon after they were written, not with what they tell: whoever does something would have to
//! wait for everybody who does something else. docs/decisions/0012 has the reasons.

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

/// The same for a command, which seals what it wrote: maybe no server runs. Where an entry lacks its seal for longer than that, somebody
/// may have taken it away, and `assay audit verify` is to find it so.
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
