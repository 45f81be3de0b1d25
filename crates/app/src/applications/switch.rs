//! Switches an application off and on again: during an investigation the application cannot act, but nothing is lost.

use oauth::ClientId;

use crate::App;
use crate::roles::{Actor, Permission, RoleError};

/// Switches an application off; returns whether it exists. It gets no more tokens at once, and its existing tokens stop working. It stays
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

/// Switches an application on again; returns whether it exists. Its unexpired tokens work again.
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
