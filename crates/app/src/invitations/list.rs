//! Lists and revokes invitations: for those who manage members.

use storage::{AuditEvent, Invitation, ListRange};

use crate::App;
use crate::invitations::dto::InvitationState;
use crate::invitations::find::is_still_allowed;
use crate::invitations::invite::entry;
use crate::members::Sight;
use crate::roles::{Actor, RoleError};

/// The invitations that the actor sees, those made last first, each with what becomes of it now; also such as expired a while ago.
///
/// # Errors
/// See [`RoleError`].
pub async fn list_invitations(
    app: &App,
    actor: &Actor,
    page: ListRange,
) -> Result<Vec<(Invitation, InvitationState)>, RoleError> {
    let sight = Sight::of(app, actor).await?;
    let mut listed = Vec::new();
    for invitation in app.store().list_invitations(sight.limit(), page).await? {
        let state = if invitation.expires_at <= app.now() {
            InvitationState::Expired
        } else if is_still_allowed(app, &invitation).await? {
            InvitationState::Open
        } else {
            InvitationState::Powerless
        };
        listed.push((invitation, state));
    }
    Ok(listed)
}

/// Revokes an invitation to a role that the actor may give; returns whether the actor sees such an invitation.
///
/// # Errors
/// See [`RoleError`].
pub async fn revoke_invitation(app: &App, actor: &Actor, id: &str) -> Result<bool, RoleError> {
    let sight = Sight::of(app, actor).await?;
    let found = app.store().lookup_invitation(id).await?;
    let seen = found.filter(|found| sight.shows_invitations_to(found.role.project));
    let Some(invitation) = seen else { return Ok(false) };
    actor.require_decision(app, &[invitation.role]).await?;
    let entry = entry(app, actor, AuditEvent::InvitationRevoked, &invitation);
    Ok(app.store().remove_invitation(id, entry).await?)
}
