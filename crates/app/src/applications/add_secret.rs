//! An application gets another secret, so that it can move to it while the one it has stays good.

use oauth::{ClientId, ClientKind, ClientOrigin, SECRETS_AT_MOST};
use secrecy::SecretString;
use storage::{AddSecretOutcome, StorageError};
use thiserror::Error;

use crate::App;
use crate::applications::description::{ApplicationFault, check_note};
use crate::applications::make_secret::make_secret;
use crate::roles::{Actor, Permission, RoleError};

/// A secret that was just made.
#[derive(Debug)]
pub struct AddedSecret {
    /// What it is called.
    pub id: String,
    /// The secret, stored only as a hash.
    pub client_secret: SecretString,
}

/// Why there is no other secret.
#[derive(Debug, Error)]
pub enum AddSecretError {
    /// There is no such application.
    #[error("there is no such application")]
    UnknownApplication,
    /// The application could not keep a secret.
    #[error("this application is public: it has no secret")]
    Public,
    /// The project file says what its secret is.
    #[error(
        "this application is declared in a project file, which names the variable with its secret"
    )]
    Declared,
    /// It has as many as it may have.
    #[error(
        "this application has {SECRETS_AT_MOST} secrets already; remove the one that is not used any more"
    )]
    TooMany,
    /// The note cannot be used.
    #[error(transparent)]
    Fault(#[from] ApplicationFault),
    /// The actor may not do this.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// It could not be stored.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Gives an application another secret.
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
