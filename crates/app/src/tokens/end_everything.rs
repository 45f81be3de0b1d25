//! Ends every token, code and session: after a backup is restored, the server does not know what was revoked since it was made.

use storage::{EndedEverything, StorageError};

use crate::App;

/// Ends everything issued, and returns how much was still valid. Running servers notice within a second.
///
/// # Errors
/// When the store does not answer; nothing has ended then.
pub async fn end_everything(app: &App) -> Result<EndedEverything, StorageError> {
    let ended = app.store().end_everything(app.now()).await?;
    tracing::warn!(families = ended.families, sessions = ended.sessions, "all tokens have ended");
    Ok(ended)
}
