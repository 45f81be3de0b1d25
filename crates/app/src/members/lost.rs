//! A member lost their password or a device. An admin who has verified their identity resets the password or removes the passkeys; either
//! signs out every browser and disconnects every application, since a thief may have let them in.

use secrecy::SecretString;
use storage::{MemberLine, StorageError, TemporaryPassword};
use thiserror::Error;

use crate::new_password::NewPassword;
use crate::roles::{Actor, RoleError};
use crate::{App, Busy};

/// Why nothing was changed.
#[derive(Debug, Error)]
pub enum LostError {
    /// The actor may do less than the member, and would gain the member's rights.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// Too many passwords are being hashed at this moment.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Gives a member a temporary password, and ends all their sessions and all that they allowed applications. The admin saw that password, so
/// the member must choose another at the next sign-in.
///
/// # Errors
/// See [`LostError`].
pub async fn reset_password(
    app: &App,
    actor: &Actor,
    member: &MemberLine,
) -> Result<SecretString, LostError> {
    actor.require_power_over(app, member.id).await?;
    let password = NewPassword::generate(app.entropy());
    let password_hash = app.passwords().hash(password.clone(), app.random()).await?;
    let new = TemporaryPassword { member: member.id, password_hash, act: actor.act(app) };
    app.store().reset_password(new).await?;
    Ok(password.into_secret())
}

/// Removes all passkeys of a member, and ends all their sessions and all that they allowed applications; returns how many passkeys there
/// were.
///
/// # Errors
/// See [`LostError`].
pub async fn remove_passkeys(
    app: &App,
    actor: &Actor,
    member: &MemberLine,
) -> Result<usize, LostError> {
    actor.require_power_over(app, member.id).await?;
    Ok(app.store().remove_passkeys(member.id, actor.act(app)).await?)
}
