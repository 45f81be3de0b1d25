//! Lists and revokes invitations: for those who manage members.

use storage::{AuditEvent, Invitation, Page};

use crate::App;
use crate::invitations::dto::InvitationState;
use crate::invitations::find::is_still_allowed;
use crate::invitations::invite::entry;
use crate::roles::{Actor, RoleError};

/// The invitations, those made last first, each with what becomes of it now; also such as expired a while ago.
///
/// # Errors
/// See [`RoleError`].
pub async fn list_invitations(
    app: &App,
    actor: &Actor,
    page: Page,
) -> Result<Vec<(Invitation, InvitationState)>, RoleError> {
    actor.require_some_members(app).await?;
    let mut listed = Vec::new();
    for invitation in app.store().list_invitations(page).await? {
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

/// Revokes an invitation to a role that the actor may give; returns whether there is one.
///
/// # Errors
/// See [`RoleError`].
pub async fn revoke_invitation(app: &App, actor: &Actor, id: &str) -> Result<bool, RoleError> {
    actor.require_some_members(app).await?;
    let Some(invitation) = app.store().lookup_invitation(id).await? else { return Ok(false) };
    actor.require_decision(app, &[invitation.role]).await?;
    let entry = entry(app, actor, AuditEvent::InvitationRevoked, &invitation);
    Ok(app.store().remove_invitation(id, entry).await?)
}
