//! Finds the invitation of a link, if it is still good. The member who invited must still have the right to give its role: an admin who was
//! removed or lowered lets people in no more.

use domain::ProjectId;
use secrecy::{ExposeSecret as _, SecretString};
use storage::{Invitation, StorageError};
use thiserror::Error;

use crate::App;
use crate::drafts::{ReadError, readable_draft};
use crate::roles::{Actor, RoleError};

/// A person with a good link.
#[derive(Debug)]
pub struct Invited {
    /// Their invitation.
    pub invitation: Invitation,
    /// The name of the project to which they are invited; `None` is the whole server.
    pub project: Option<String>,
}

/// Why a link opens nothing.
#[derive(Debug, Error)]
pub enum InvitationError {
    /// Used, revoked, expired, or no link of ours; the answer does not tell which.
    #[error("this invitation has been used or revoked, or has expired; ask for a new one")]
    Gone,
    /// The member who invited may not give this role any more.
    #[error("the member who invited you may not do so any more; ask an admin for a new invitation")]
    Powerless,
    /// The invited person is a member by now.
    #[error("a member has the address of this invitation already; sign in instead")]
    AlreadyMember,
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// The invitation with this token.
///
/// # Errors
/// See [`InvitationError`].
pub async fn find_invitation(app: &App, token: &SecretString) -> Result<Invited, InvitationError> {
    let hash = oauth::hash(token.expose_secret()).ok_or(InvitationError::Gone)?;
    let found = app.store().find_invitation(&hash).await?;
    let invitation = found.filter(|one| app.now() < one.expires_at).ok_or(InvitationError::Gone)?;
    if !is_still_allowed(app, &invitation).await? {
        return Err(InvitationError::Powerless);
    }
    // A member accepts an invitation to a project, too. Whether the address is a member's is told to no other person who has the link.
    let is_of_server = invitation.role.project.is_none();
    if is_of_server && app.store().find_member_by_email(&invitation.email).await?.is_some() {
        return Err(InvitationError::AlreadyMember);
    }
    let project = match invitation.role.project {
        Some(id) => Some(title(app, id).await?),
        None => None,
    };
    Ok(Invited { invitation, project })
}

/// A project's name; the invited person has no role yet, and may know it all the same.
async fn title(app: &App, id: ProjectId) -> Result<String, StorageError> {
    match readable_draft(app, &Actor::Command, id).await {
        Ok(draft) => {
            Ok(draft.project.name.clone().unwrap_or_else(|| draft.project.key.to_string()))
        }
        Err(ReadError::Storage(error)) => Err(error),
        Err(_) => Ok(format!("project {id}")),
    }
}

/// Whether the member who invited may still give the role. An operator at the terminal always may.
pub(super) async fn is_still_allowed(
    app: &App,
    invitation: &Invitation,
) -> Result<bool, StorageError> {
    let Some(member) = invitation.member else { return Ok(true) };
    match Actor::in_console(member, None).require_decision(app, &[invitation.role]).await {
        Ok(()) => Ok(true),
        Err(RoleError::Insufficient { .. } | RoleError::Scope(_)) => Ok(false),
        Err(RoleError::Storage(error)) => Err(error),
    }
}
