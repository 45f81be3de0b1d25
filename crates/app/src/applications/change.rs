//! Somebody changes what is registered of an application.

use oauth::{Client, ClientOrigin};
use storage::{ChangeClient, StorageError};
use thiserror::Error;

use crate::App;
use crate::applications::description::{
    ApplicationFault, check_name, parse_redirect_uris, parse_scope,
};
use crate::roles::{Actor, Permission, RoleError};

/// What is to be different.
#[derive(Debug, Clone, Default)]
pub struct ChangedApplication {
    /// The new name, unless it stays.
    pub name: Option<String>,
    /// All redirect URIs that it has from now on, unless they stay.
    pub redirect_uris: Option<Vec<String>>,
    /// What it may ask for from now on, unless that stays.
    pub scope: Option<String>,
}

/// Why the application is as it was.
#[derive(Debug, Error)]
pub enum ChangeApplicationError {
    /// Somebody else has just changed it, or it is gone.
    #[error("the application has just been changed or removed; look at it again")]
    OtherApplication,
    /// The project file would change it back.
    #[error("this application is declared in a project file; change it there")]
    Declared,
    /// What it is to say about itself cannot be used.
    #[error(transparent)]
    Fault(#[from] ApplicationFault),
    /// The actor may not do this.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// It could not be stored.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Changes an application, as it was seen, from the next authorization request on.
///
/// # Errors
/// See [`ChangeApplicationError`].
pub async fn change_application(
    app: &App,
    actor: &Actor,
    client: &Client,
    changed: ChangedApplication,
) -> Result<(), ChangeApplicationError> {
    actor.require(app, None, Permission::ManageApplications).await?;
    if let Some(name) = &changed.name {
        check_name(name)?;
    }
    let parse = |uris| parse_redirect_uris(client.kind, uris);
    let redirect_uris = changed.redirect_uris.as_deref().map(parse).transpose()?;
    let scope = parse_scope(changed.scope.as_deref())?;
    if client.origin == ClientOrigin::ProjectFile {
        return Err(ChangeApplicationError::Declared);
    }
    // What stays as it was is no change, and not to be read of in the audit log.
    let name = changed.name.filter(|name| *name != client.name);
    let redirect_uris = redirect_uris.filter(|uris| *uris != client.redirect_uris);
    let scope = scope.filter(|scope| Some(*scope) != client.scope);
    if name.is_none() && redirect_uris.is_none() && scope.is_none() {
        return Ok(());
    }
    let change = ChangeClient {
        client_id: client.client_id.clone(),
        name_before: client.name.clone(),
        redirect_uris_before: client.redirect_uris.clone(),
        name,
        redirect_uris,
        scope,
    };
    let is_changed = app.store().change_client(change, actor.act(app)).await?;
    if is_changed { Ok(()) } else { Err(ChangeApplicationError::OtherApplication) }
}
