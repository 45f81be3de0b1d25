//! An application goes, with everything that members allowed it.

use oauth::ClientId;
use storage::{Actor, StorageError};

use crate::App;

/// Removes an application; tells whether there was one. At once nobody gets tokens for it, and those it had open nothing. One that a
/// project file declares comes back, with nothing of this, when the file is published again.
///
/// # Errors
/// When the store does not answer.
pub async fn remove_application(app: &App, client_id: &ClientId) -> Result<bool, StorageError> {
    app.store().remove_client(client_id, app.act(Actor::Command, None)).await
}
