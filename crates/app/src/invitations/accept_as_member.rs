//! A member accepts an invitation to a project, signed in as the member with the invited address: neither the link alone nor the session alone
//! gives them the role.

use secrecy::SecretString;
use storage::{
    AcceptOutcome, AcceptedByMember, AuditEvent, NewAuditEntry, RoleGrant, StorageError,
};
use thiserror::Error;

use crate::App;
use crate::invitations::accept::may_give;
use crate::invitations::find::{InvitationError, find_invitation};
use crate::invitations::invite::detail;
use crate::roles::Actor;

/// Why the member has no new role.
#[derive(Debug, Error)]
pub enum AcceptAsMemberError {
    /// The link opens nothing.
    #[error(transparent)]
    Invitation(#[from] InvitationError),
    /// It is the invitation of another address.
    #[error("this invitation is for another member; sign in as that member")]
    OtherMember,
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Gives the acting member the role of their invitation to a project, and returns it.
///
/// # Errors
/// See [`AcceptAsMemberError`].
pub async fn accept_as_member(
    app: &App,
    actor: &Actor,
    token: &SecretString,
) -> Result<RoleGrant, AcceptAsMemberError> {
    let invitation = find_invitation(app, token).await?.invitation;
    let found = app.store().find_member_by_email(&invitation.email).await?;
    let member = found.map(|found| found.id).filter(|found| actor.member() == Some(*found));
    let member = member.ok_or(AcceptAsMemberError::OtherMember)?;
    let entry = NewAuditEntry {
        event: AuditEvent::InvitationAccepted,
        act: actor.act(app),
        member: Some(member),
        client_id: None,
        detail: format!("{}, invited by {}", detail(&invitation), invitation.made_by),
        project: None,
    };
    let (role, authority) = (invitation.role, actor.authority()?);
    let accepted = AcceptedByMember { invitation, may_give, member, authority, entry };
    match app.store().accept_invitation_as_member(accepted).await? {
        AcceptOutcome::Member(_) => Ok(role),
        AcceptOutcome::Gone => Err(InvitationError::Gone.into()),
        AcceptOutcome::Powerless => Err(InvitationError::Powerless.into()),
    }
}
