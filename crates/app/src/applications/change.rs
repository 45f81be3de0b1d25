//! Changes the registration of an application.

use oauth::{Client, ClientOrigin, RedirectUri};
use storage::{ChangeClient, StorageError};
use thiserror::Error;

use crate::App;
use crate::applications::description::{
    ApplicationFault, check_name, parse_redirect_uris, parse_scope,
};
use crate::roles::{Actor, Permission, RoleError};

/// What to change.
#[derive(Debug, Clone, Default)]
pub struct ChangedApplication {
    /// The new name; `None` keeps it.
    pub name: Option<String>,
    /// All redirect URIs from now on; `None` keeps them.
    pub redirect_uris: Option<Vec<String>>,
    /// The scope it may ask for from now on; `None` keeps it.
    pub scope: Option<String>,
}

/// Why the application was not changed.
#[derive(Debug, Error)]
pub enum ChangeApplicationError {
    /// Another request has just changed or removed it.
    #[error("the application has just been changed or removed; look at it again")]
    OtherApplication,
    /// The project file would undo the change.
    #[error("this application is declared in a project file; change it there")]
    Declared,
    /// The new description is invalid.
    #[error(transparent)]
    Fault(#[from] ApplicationFault),
    /// The actor may not do this.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The store could not save it.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Changes an application if it is still as the actor saw it. The change takes effect with the next authorization request.
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
    // Forms send all addresses again; those that are there stay, whatever today's rules say of new ones.
    let is_there = |uris: &Vec<String>| {
        uris.iter().map(String::as_str).eq(client.redirect_uris.iter().map(RedirectUri::as_str))
    };
    let new_uris = changed.redirect_uris.filter(|uris| !is_there(uris));
    let parse = |uris: Vec<String>| parse_redirect_uris(client.kind, &uris);
    let redirect_uris = new_uris.map(parse).transpose()?;
    let scope = parse_scope(changed.scope.as_deref())?;
    if client.origin == ClientOrigin::ProjectFile {
        return Err(ChangeApplicationError::Declared);
    }
    // An unchanged field does not belong in the audit log.
    let name = changed.name.filter(|name| *name != client.name);
    let scope = scope.filter(|scope| Some(*scope) != client.scope);
    if name.is_none() && redirect_uris.is_none() && scope.is_none() {
        return Ok(());
    }
    let change = ChangeClient {
        client_id: client.client_id.clone(),
        name_before: client.name.clone(),
        redirect_uris_before: client.redirect_uris.clone(),
        scope_before: client.scope,
        name,
        redirect_uris,
        scope,
    };
    let is_changed = app.store().change_client(change, actor.act(app)).await?;
    if is_changed { Ok(()) } else { Err(ChangeApplicationError::OtherApplication) }
}
