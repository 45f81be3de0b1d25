//! An admin lists the applications that may act for a member, and disconnects one.

use storage::MemberLine;

use crate::App;
use crate::connections::ConnectedApplication;
use crate::roles::{Actor, RoleError};

/// The applications that a member allowed something, ordered by name.
///
/// # Errors
/// If the actor has no power over the member, or the store does not answer.
pub async fn list_applications_of_member(
    app: &App,
    actor: &Actor,
    member: &MemberLine,
) -> Result<Vec<ConnectedApplication>, RoleError> {
    actor.require_power_over(app, member.id).await?;
    let connections = app.store().list_connections(member.id).await?;
    Ok(connections.into_iter().map(ConnectedApplication::from).collect())
}

/// Ends what a member allowed an application: consent, codes and tokens, in one commit. Returns whether there was anything to end.
///
/// # Errors
/// If the actor has no power over the member, or the store does not answer.
pub async fn disconnect_from_member(
    app: &App,
    actor: &Actor,
    member: &MemberLine,
    client_id: &str,
) -> Result<bool, RoleError> {
    actor.require_power_over(app, member.id).await?;
    let Ok(client_id) = client_id.parse() else { return Ok(false) };
    Ok(app.store().disconnect(member.id, &client_id, actor.act(app)).await?)
}
