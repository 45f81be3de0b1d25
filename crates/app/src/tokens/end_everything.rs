//! Ends every token, code and session: after a backup is restored, the server does not know what was revoked since it was made.

use oauth::SigningKey;
use storage::{EndedEverything, NewKeys, StorageError};

use crate::App;

/// What the database is in which everything ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseIs {
    /// The one that it always was: it keeps its folder of events, and its copies in object storage.
    TheOriginal,
    /// A copy beside its original, to which the folder and the copies belong.
    ACopy,
}

/// Ends everything issued, and returns how much was still valid. A new key takes the place of the one that signs. Running servers notice within a
/// second.
///
/// # Errors
/// When the store does not answer; nothing has ended then.
pub async fn end_everything(
    app: &App,
    database: DatabaseIs,
) -> Result<EndedEverything, StorageError> {
    let new = || Some(SigningKey::from_bytes(app.random()));
    let event_files = match database {
        DatabaseIs::TheOriginal => None,
        DatabaseIs::ACopy => new(),
    };
    let keys = NewKeys { signatures: new(), event_files };
    let ended = app.store().end_everything(keys, app.now()).await?;
    tracing::warn!(families = ended.families, sessions = ended.sessions, "all tokens have ended");
    Ok(ended)
}
