//! Invites a person. The link is shown once, to the member who invites: the store has only the hash of its token.

use domain::{Fault, Pointer};
use oauth::{CredentialKind, Lifetime};
use secrecy::{ExposeSecret as _, SecretString};
use storage::{
    AddInvitationOutcome, AuditEvent, INVITATIONS_AT_MOST, INVITATIONS_TO_PROJECT_AT_MOST,
    Invitation, InvitationLimit, NewAuditEntry, NewInvitation, RoleGrant, StorageError,
    roles_in_words,
};
use thiserror::Error;

use crate::App;
use crate::app::IssuedCredential;
use crate::invitations::INVITATION_PATH;
use crate::mail::{Delivery, Mail, deliver};
use crate::members::{EmailAddress, Sight, fault_of_project, find_member_by_email};
use crate::roles::{Actor, RoleError};

/// A person on holiday reads it when they are back; a mailbox that is broken into later has only expired ones.
const LIFETIME: Lifetime = Lifetime::from_seconds(7 * 24 * 3_600);

/// 96 random bits: no two invitations get the same id.
const ID_BYTES: usize = 12;

/// An invitation that was just made.
#[derive(Debug)]
pub struct MadeInvitation {
    /// The address that the person opens; shown only here.
    pub link: SecretString,
    /// What is kept of it.
    pub kept: Invitation,
    /// What became of the mail with the link.
    pub delivery: Delivery,
}

/// Why the person was not invited.
#[derive(Debug, Error)]
pub enum InviteError {
    /// This does not look like an e-mail address.
    #[error("not an e-mail address; expected one such as `ann@example.com`")]
    UnusableEmail,
    /// A member whom the actor sees has this address.
    #[error("a member with this e-mail address already exists")]
    EmailTaken,
    /// The actor lacks the role that they would give.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The role is in an unknown project.
    #[error("{}", .0.message)]
    UnknownProject(Box<Fault>),
    /// There are too many.
    #[error("{INVITATIONS_AT_MOST} people are invited already; revoke some invitations first")]
    TooMany,
    /// There are too many to the project, for an admin of projects.
    #[error(
        "{INVITATIONS_TO_PROJECT_AT_MOST} people are invited to this project already; revoke some invitations first, or ask an admin of the server"
    )]
    TooManyToProject,
    /// The store could not keep it.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Invites the person with this address to a role.
///
/// # Errors
/// See [`InviteError`].
pub async fn invite(
    app: &App,
    actor: &Actor,
    email: &str,
    role: RoleGrant,
) -> Result<MadeInvitation, InviteError> {
    let email = EmailAddress::parse_new(email).ok_or(InviteError::UnusableEmail)?;
    actor.require_decision(app, &[role]).await?;
    let place = Pointer::root().field("project");
    if let Some(fault) = fault_of_project(app, &role, place).await? {
        return Err(InviteError::UnknownProject(Box::new(fault)));
    }
    // Of a member whom the actor does not see, the answer tells nothing: the member accepts as such.
    if find_member_by_email(app, actor, email.as_str()).await?.is_some() {
        return Err(InviteError::EmailTaken);
    }
    let IssuedCredential { credential, hash } = app.issue_credential(CredentialKind::Invitation);
    let made_at = app.now();
    let kept = Invitation {
        id: hex::encode(app.random::<ID_BYTES>()),
        email: email.as_str().to_owned(),
        role,
        member: actor.member(),
        made_by: actor.author(app).await?,
        made_at,
        expires_at: made_at + LIFETIME,
    };
    let entry = entry(app, actor, AuditEvent::InvitationMade, &kept);
    let (authority, limit) = (actor.authority()?, limit(app, actor).await?);
    let new = NewInvitation { authority, limit, hash, invitation: kept.clone() };
    match app.store().add_invitation(new, entry).await? {
        AddInvitationOutcome::Added => {}
        AddInvitationOutcome::TooMany => return Err(InviteError::TooMany),
        AddInvitationOutcome::TooManyToProject => return Err(InviteError::TooManyToProject),
    }
    let path = format!("{INVITATION_PATH}?token={}", credential.expose_secret());
    let link = app.public_url().join(&path);
    let delivery = deliver(app, mail(app, &kept, &link)).await;
    Ok(MadeInvitation { link: SecretString::from(link), kept, delivery })
}

/// One project takes no more than its share of what the server has room for.
async fn limit(app: &App, actor: &Actor) -> Result<InvitationLimit, RoleError> {
    Ok(match Sight::of(app, actor).await? {
        Sight::Server => InvitationLimit::OfServer,
        Sight::Projects(..) => InvitationLimit::OfProject,
    })
}

fn mail(app: &App, invitation: &Invitation, link: &str) -> Mail {
    let (by, host) = (&invitation.made_by, app.public_url().host());
    let text = format!(
        "{by} invites you to the experiments on {host}.\n\n\
         Open this link within seven days:\n\n{link}\n\n\
         If you did not expect this, do nothing.\n"
    );
    Mail { to: invitation.email.clone(), subject: format!("Your invitation to {host}"), text }
}

/// The entry of an act on an invitation.
pub(super) fn entry(
    app: &App,
    actor: &Actor,
    event: AuditEvent,
    invitation: &Invitation,
) -> NewAuditEntry {
    let (member, client_id) = (actor.member(), actor.through());
    let detail = detail(invitation);
    NewAuditEntry { event, act: actor.act(app), member, client_id, detail, project: None }
}

/// An invitation as the audit log tells it.
pub(super) fn detail(invitation: &Invitation) -> String {
    let Invitation { email, role, id, .. } = invitation;
    format!("{email}: {} ({id})", roles_in_words(&[*role]))
}
