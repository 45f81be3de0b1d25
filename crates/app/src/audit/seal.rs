//! Entries of the audit log are sealed soon after they were written, not with what they tell: whoever does something would have to
//! wait for everybody who does something else. docs/decisions/0016 has the reasons.

use storage::StorageError;

use crate::App;

/// Seals all entries that are complete.
///
/// # Errors
/// If the store does not answer.
pub async fn seal_audit(app: &App) -> Result<(), StorageError> {
    while app.store().seal_audit_entries(app.now()).await? {}
    Ok(())
}
