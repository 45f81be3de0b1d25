//! Somebody becomes a member: with an e-mail address and a password that we make and show once.

use secrecy::SecretString;
use storage::{NewMember, RoleGrant, StorageError};
use thiserror::Error;

use crate::members::EmailAddress;
use crate::roles::Administrator;
use crate::{App, Busy, passwords};

/// A new member's way in.
#[derive(Debug)]
pub struct AddedMember {
    /// The address to sign in with, as it is stored.
    pub email: String,
    /// The password, known to nobody else and stored only as a hash.
    pub password: SecretString,
}

/// Why nobody became a member.
#[derive(Debug, Error)]
pub enum AddMemberError {
    /// This does not look like an e-mail address.
    #[error("not an e-mail address; expected one such as `ann@example.com`")]
    UnusableEmail,
    /// A member has this address already.
    #[error("a member with this e-mail address exists already")]
    EmailTaken,
    /// Too many passwords are being hashed at this moment.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The member could not be stored.
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

/// Adds a member with this e-mail address and these roles.
///
/// # Errors
/// See [`AddMemberError`].
pub async fn add_member(
    app: &App,
    by: &Administrator,
    email: &str,
    roles: Vec<RoleGrant>,
) -> Result<AddedMember, AddMemberError> {
    let email = EmailAddress::parse(email).ok_or(AddMemberError::UnusableEmail)?;
    let password = passwords::generate(app.entropy());
    let password_hash = app.passwords().hash(password.clone(), app.random()).await?;
    let (through, act) = (by.through(), by.act(app));
    let member = NewMember { email: email.as_str().to_owned(), password_hash, roles, through, act };
    app.store().add_member(member).await?;
    Ok(AddedMember { email: email.as_str().to_owned(), password })
}
