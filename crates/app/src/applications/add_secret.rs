//! Adds a second secret to an application, so that it can switch while its current secret still works.

use oauth::{ClientId, ClientKind, ClientOrigin, SECRETS_AT_MOST};
use secrecy::SecretString;
use storage::{AddSecretOutcome, StorageError};
use thiserror::Error;

use crate::App;
use crate::applications::description::{ApplicationFault, check_note};
use crate::applications::make_secret::make_secret;
use crate::roles::{Actor, Permission, RoleError};

/// A new secret.
#[derive(Debug)]
pub struct AddedSecret {
    /// Its id.
    pub id: String,
    /// The secret, stored only as a hash.
    pub client_secret: SecretString,
}

/// Why no secret was added.
#[derive(Debug, Error)]
pub enum AddSecretError {
    /// There is no such application.
    #[error("there is no such application")]
    UnknownApplication,
    /// A public application cannot keep a secret.
    #[error("this application is public: it has no secret")]
    Public,
    /// The project file defines its secret.
    #[error(
        "this application is declared in a project file, which names the variable with its secret"
    )]
    Declared,
    /// It has the maximum number of secrets.
    #[error(
        "this application has {SECRETS_AT_MOST} secrets already; remove one that is no longer used"
    )]
    TooMany,
    /// The note is invalid.
    #[error(transparent)]
    Fault(#[from] ApplicationFault),
    /// The actor may not do this.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The store could not save it.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Adds a secret to an application.
///
/// # Errors
/// See [`AddSecretError`].
pub async fn add_secret(
    app: &App,
    actor: &Actor,
    client_id: &ClientId,
    note: String,
) -> Result<AddedSecret, AddSecretError> {
    actor.require(app, None, Permission::ManageApplications).await?;
    check_note(&note)?;
    let client = app.store().lookup_client(client_id).await?;
    let client = client.ok_or(AddSecretError::UnknownApplication)?;
    if client.kind == ClientKind::Public {
        return Err(AddSecretError::Public);
    }
    if client.origin == ClientOrigin::ProjectFile {
        return Err(AddSecretError::Declared);
    }
    let act = actor.act(app);
    let (client_secret, secret) = make_secret(app, note, act.at).parts();
    let id = secret.id.clone();
    match app.store().add_client_secret(client_id, secret, act).await? {
        AddSecretOutcome::Added => Ok(AddedSecret { id, client_secret }),
        AddSecretOutcome::UnknownClient => Err(AddSecretError::UnknownApplication),
        AddSecretOutcome::TooMany => Err(AddSecretError::TooMany),
    }
}
