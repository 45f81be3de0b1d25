//! The invited person chooses a password and becomes a member, signed in.

use std::sync::Arc;

use secrecy::SecretString;
use storage::{
    AcceptOutcome, AcceptedInvitation, ActorKind, AuditEvent, NewAuditEntry, NewMember, Proof,
    RoleGrant, StorageError,
};
use thiserror::Error;

use crate::invitations::find::{InvitationError, find_invitation};
use crate::invitations::invite::detail;
use crate::new_password::{NewPassword, UnusablePassword};
use crate::roles::Rights;
use crate::sessions::{SigningBrowser, StartedSession, start};
use crate::{App, Busy};

/// The form that an invited person sent.
#[derive(Debug)]
pub struct AcceptInvitation {
    /// The token of the link.
    pub token: SecretString,
    /// The password.
    pub password: SecretString,
    /// The browser in which the person is signed in.
    pub browser: SigningBrowser,
}

/// Why the person is no member.
#[derive(Debug, Error)]
pub enum AcceptInvitationError {
    /// The link opens nothing.
    #[error(transparent)]
    Invitation(#[from] InvitationError),
    /// The password is too short or too long.
    #[error(transparent)]
    Password(#[from] UnusablePassword),
    /// Too many passwords are being hashed at this moment.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Makes the invited person a member, and starts their session; also returns their role.
///
/// # Errors
/// See [`AcceptInvitationError`].
pub async fn accept_invitation(
    app: &App,
    AcceptInvitation { token, password, browser }: AcceptInvitation,
) -> Result<(StartedSession, RoleGrant), AcceptInvitationError> {
    let invitation = find_invitation(app, &token).await?.invitation;
    let password = NewPassword::parse(password)?;
    let password_hash = app.passwords().hash(password, app.random()).await?;
    let act = app.act(ActorKind::Member, Some(browser.address));
    let member = NewMember {
        email: invitation.email.clone(),
        password_hash: password_hash.clone(),
        is_password_temporary: false,
        roles: vec![invitation.role],
        through: None,
        act,
    };
    let entry = NewAuditEntry {
        event: AuditEvent::InvitationAccepted,
        act,
        member: None,
        client_id: None,
        detail: format!("{}, invited by {}", detail(&invitation), invitation.made_by),
        project: None,
    };
    let role = invitation.role;
    let accepted = AcceptedInvitation { invitation, may_give, member, entry };
    let added = match app.store().accept_invitation(accepted).await {
        Ok(AcceptOutcome::Member(added)) => added,
        Ok(AcceptOutcome::Gone) => return Err(InvitationError::Gone.into()),
        Ok(AcceptOutcome::Powerless) => return Err(InvitationError::Powerless.into()),
        Err(StorageError::Conflict) => return Err(InvitationError::AlreadyMember.into()),
        Err(error) => return Err(error.into()),
    };
    let session = start(app, added, Proof::Password(password_hash), &browser).await?;
    Ok((session, role))
}

/// Whether a member with these roles may give this one. The store asks within its transaction: between the check of the link and here a
/// password is hashed, and the roles may have changed.
pub(super) fn may_give(roles: &[RoleGrant], role: &RoleGrant) -> bool {
    Rights::from(Arc::from(roles)).decide_about(role)
}
