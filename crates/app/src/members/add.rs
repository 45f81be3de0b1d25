//! An admin of the server adds a member: with an e-mail address and a password that we make and show once. If another member sees that password, it is
//! temporary: the new member must replace it first. Admins of projects invite people instead: the answer here tells whether an address is a
//! member's.

use domain::{Fault, Pointer};
use secrecy::SecretString;
use storage::{MemberId, NewMember, RoleGrant, StorageError};
use thiserror::Error;

use crate::members::EmailAddress;
use crate::members::change_roles::fault_of_project;
use crate::new_password::NewPassword;
use crate::roles::{Actor, Permission, RoleError};
use crate::{App, Busy};

/// The credentials of a new member.
#[derive(Debug)]
pub struct AddedMember {
    /// The member's id.
    pub id: MemberId,
    /// The address to sign in with, as stored.
    pub email: String,
    /// The password, shown only here and stored only as a hash.
    pub password: SecretString,
}

/// Why no member was added.
#[derive(Debug, Error)]
pub enum AddMemberError {
    /// This does not look like an e-mail address.
    #[error("not an e-mail address; expected one such as `ann@example.com`")]
    UnusableEmail,
    /// A member has this address already.
    #[error("a member with this e-mail address already exists")]
    EmailTaken,
    /// The actor is no admin of the server, or lacks the role that they would give.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The role is in an unknown project.
    #[error("{}", .0.message)]
    UnknownProject(Box<Fault>),
    /// Too many passwords are being hashed at this moment.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store could not save the member.
    #[error(transparent)]
    Storage(StorageError),
}

impl From<StorageError> for AddMemberError {
    fn from(error: StorageError) -> Self {
        if matches!(error, StorageError::Conflict) {
            Self::EmailTaken
        } else {
            Self::Storage(error)
        }
    }
}

/// Adds a member with this e-mail address and this role.
///
/// # Errors
/// See [`AddMemberError`].
pub async fn add_member(
    app: &App,
    actor: &Actor,
    email: &str,
    role: RoleGrant,
) -> Result<AddedMember, AddMemberError> {
    let email = EmailAddress::parse_new(email).ok_or(AddMemberError::UnusableEmail)?;
    actor.require(app, None, Permission::ManageMembers).await?;
    actor.require_decision(app, &[role]).await?;
    let place = Pointer::root().field("project");
    if let Some(fault) = fault_of_project(app, &role, place).await? {
        return Err(AddMemberError::UnknownProject(Box::new(fault)));
    }
    let password = NewPassword::generate(app.entropy());
    let password_hash = app.passwords().hash(password.clone(), app.random()).await?;
    let member = NewMember {
        email: email.as_str().to_owned(),
        password_hash,
        is_password_temporary: *actor != Actor::Command,
        roles: vec![role],
        through: actor.through(),
        act: actor.act(app),
    };
    let id = app.store().add_member(member, actor.authority()?).await?;
    Ok(AddedMember { id, email: email.as_str().to_owned(), password: password.into_secret() })
}
