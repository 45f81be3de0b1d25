//! A member lost their password or a device. Somebody at the terminal, who knows that it is them, gives them a new password or takes
//! their passkeys away; in both cases every browser is signed out.

use secrecy::SecretString;
use storage::{Actor, Member, NewPassword, StorageError};
use thiserror::Error;

use crate::members::EmailAddress;
use crate::{App, Busy, passwords};

/// Why nothing was changed.
#[derive(Debug, Error)]
pub enum LostError {
    /// No member has this e-mail address.
    #[error("there is no member with this e-mail address")]
    UnknownMember,
    /// Too many passwords are being hashed at this moment.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Gives a member a new password, known to nobody else, and ends all their sessions.
///
/// # Errors
/// See [`LostError`].
pub async fn reset_password(app: &App, email: &str) -> Result<SecretString, LostError> {
    let member = find(app, email).await?;
    let password = passwords::generate(app.entropy());
    let password_hash = app.passwords().hash(password.clone(), app.random()).await?;
    let act = app.act(Actor::Command, None);
    let new = NewPassword { member: member.id, password_hash, kept_session: None, act };
    app.store().change_password(new).await?;
    Ok(password)
}

/// Removes all passkeys of a member and ends all their sessions; tells how many passkeys there were.
///
/// # Errors
/// See [`LostError`].
pub async fn remove_passkeys(app: &App, email: &str) -> Result<usize, LostError> {
    let member = find(app, email).await?;
    Ok(app.store().remove_passkeys(member.id, app.act(Actor::Command, None)).await?)
}

async fn find(app: &App, email: &str) -> Result<Member, LostError> {
    let email = EmailAddress::parse(email).ok_or(LostError::UnknownMember)?;
    let found = app.store().find_member_by_email(email.as_str()).await?;
    found.ok_or(LostError::UnknownMember)
}
