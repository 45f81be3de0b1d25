//! An application is switched off and on again: while something about it is looked into, nothing of it works and nothing is lost.

use oauth::ClientId;

use crate::App;
use crate::roles::{Actor, Permission, RoleError};

/// Switches an application off; tells whether there is one. At once nobody gets tokens for it, and those it has open nothing. It stays
/// off when a project file that declares it is published again.
///
/// # Errors
/// See [`RoleError`].
pub async fn disable_application(
    app: &App,
    actor: &Actor,
    client_id: &ClientId,
) -> Result<bool, RoleError> {
    actor.require(app, None, Permission::ManageApplications).await?;
    Ok(app.store().disable_client(client_id, actor.act(app)).await?)
}

/// Switches an application on again; tells whether there is one. Tokens that are not over yet are good again.
///
/// # Errors
/// See [`RoleError`].
pub async fn enable_application(
    app: &App,
    actor: &Actor,
    client_id: &ClientId,
) -> Result<bool, RoleError> {
    actor.require(app, None, Permission::ManageApplications).await?;
    Ok(app.store().enable_client(client_id, actor.act(app)).await?)
}
