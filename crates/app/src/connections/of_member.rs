//! An admin looks at the applications that may act in a member's name, and ends what the member allowed one of them.

use storage::MemberLine;

use crate::App;
use crate::connections::ConnectedApplication;
use crate::roles::{Actor, RoleError};

/// The applications that a member allowed something, in the order of their names.
///
/// # Errors
/// If whoever asks has no power over the member, or the store does not answer.
pub async fn list_applications_of_member(
    app: &App,
    actor: &Actor,
    member: &MemberLine,
) -> Result<Vec<ConnectedApplication>, RoleError> {
    actor.require_power_over(app, &member.roles).await?;
    let connections = app.store().list_connections(member.id).await?;
    Ok(connections.into_iter().map(ConnectedApplication::from).collect())
}

/// Ends what a member allowed an application: consent, codes and tokens go in one act. Tells whether there was anything.
///
/// # Errors
/// If whoever asks has no power over the member, or the store does not answer.
pub async fn disconnect_from_member(
    app: &App,
    actor: &Actor,
    member: &MemberLine,
    client_id: &str,
) -> Result<bool, RoleError> {
    actor.require_power_over(app, &member.roles).await?;
    let Ok(client_id) = client_id.parse() else { return Ok(false) };
    Ok(app.store().disconnect(member.id, &client_id, actor.act(app)).await?)
}
