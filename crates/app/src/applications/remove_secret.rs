//! Removes a secret of an application: because the application uses another now, or because the secret may have leaked.

use oauth::{ClientId, ClientOrigin};
use storage::StorageError;
use thiserror::Error;

use crate::App;
use crate::roles::{Actor, Permission, RoleError};

/// Why the secret was not removed.
#[derive(Debug, Error)]
pub enum RemoveSecretError {
    /// There is no such application.
    #[error("there is no such application")]
    UnknownApplication,
    /// The application has no such secret.
    #[error("the application has no such secret")]
    UnknownSecret,
    /// The project file defines its secret.
    #[error(
        "this application is declared in a project file, which names the variable with its secret"
    )]
    Declared,
    /// The actor may not do this.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The store could not remove it.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Removes a secret. Tokens of the application stay valid as long as it has another secret.
///
/// # Errors
/// See [`RemoveSecretError`].
pub async fn remove_secret(
    app: &App,
    actor: &Actor,
    client_id: &ClientId,
    id: &str,
) -> Result<(), RemoveSecretError> {
    actor.require(app, None, Permission::ManageApplications).await?;
    let client = app.store().lookup_client(client_id).await?;
    let client = client.ok_or(RemoveSecretError::UnknownApplication)?;
    if client.origin == ClientOrigin::ProjectFile {
        return Err(RemoveSecretError::Declared);
    }
    let act = actor.act(app);
    let is_removed = app.store().remove_client_secret(client_id, id, act).await?;
    if is_removed { Ok(()) } else { Err(RemoveSecretError::UnknownSecret) }
}
