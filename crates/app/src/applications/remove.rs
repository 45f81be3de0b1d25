//! Removes an application, with everything that members allowed it.

use oauth::{Client, ClientOrigin};
use storage::StorageError;
use thiserror::Error;

use crate::App;
use crate::applications::COMMAND_LINE_CLIENT_ID;
use crate::roles::{Actor, Permission, RoleError};

/// Why the application was not removed.
#[derive(Debug, Error)]
pub enum RemoveApplicationError {
    /// The application no longer exists.
    #[error("there is no such application")]
    UnknownApplication,
    /// The project file would restore it.
    #[error("this application is declared in a project file; remove it there, or disable it")]
    Declared,
    /// Every server knows it without being told: its next login would restore it, enabled.
    #[error("the command line is part of the server and cannot be removed; disable it instead")]
    BuiltIn,
    /// The actor may not do this.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Removes an application. It gets no more tokens at once, and its existing tokens stop working. An operator may also remove one that a
/// project file declares: the next publication of the file restores it, without its tokens and consents.
///
/// # Errors
/// See [`RemoveApplicationError`].
pub async fn remove_application(
    app: &App,
    actor: &Actor,
    client: &Client,
) -> Result<(), RemoveApplicationError> {
    actor.require(app, None, Permission::ManageApplications).await?;
    let is_declared = client.origin == ClientOrigin::ProjectFile;
    if is_declared && *actor != Actor::Command {
        return Err(RemoveApplicationError::Declared);
    }
    if client.client_id.as_str() == COMMAND_LINE_CLIENT_ID {
        return Err(RemoveApplicationError::BuiltIn);
    }
    let is_known = app.store().remove_client(&client.client_id, actor.act(app)).await?;
    if is_known { Ok(()) } else { Err(RemoveApplicationError::UnknownApplication) }
}
