//! An application is switched off and on again: while something about it is looked into, nothing of it works and nothing is lost.

use oauth::ClientId;
use storage::StorageError;

use crate::App;
use crate::roles::Administrator;

/// Switches an application off; tells whether there is one. At once nobody gets tokens for it, and those it has open nothing. It stays
/// off when a project file that declares it is published again.
///
/// # Errors
/// When the store does not answer.
pub async fn disable_application(
    app: &App,
    by: &Administrator,
    client_id: &ClientId,
) -> Result<bool, StorageError> {
    app.store().disable_client(client_id, by.act(app)).await
}

/// Switches an application on again; tells whether there is one. Tokens that are not over yet are good again.
///
/// # Errors
/// When the store does not answer.
pub async fn enable_application(
    app: &App,
    by: &Administrator,
    client_id: &ClientId,
) -> Result<bool, StorageError> {
    app.store().enable_client(client_id, by.act(app)).await
}
