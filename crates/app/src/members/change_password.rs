//! A member chooses another password. Whoever knows the old one may be somebody else, so every other browser is signed out.

use std::net::IpAddr;

use secrecy::{ExposeSecret as _, SecretString};
use storage::{Actor, NewPassword, StorageError};
use thiserror::Error;

use crate::passwords::{PASSWORD_BYTES_AT_MOST, PASSWORD_CHARACTERS_AT_LEAST};
use crate::sessions::SignedIn;
use crate::{App, Busy, TooManyFailures};

/// What a member typed, and where.
#[derive(Debug)]
pub struct ChangePassword {
    /// The password so far.
    pub current: SecretString,
    /// The password from now on.
    pub new: SecretString,
    /// The session that goes on.
    pub session: SecretString,
    /// From where.
    pub address: IpAddr,
}

/// Why the password is as it was.
#[derive(Debug, Error)]
pub enum ChangePasswordError {
    /// That is not the password so far.
    #[error("the current password is not right")]
    WrongPassword,
    /// The new one is too short or too long.
    #[error(
        "the new password has fewer than {PASSWORD_CHARACTERS_AT_LEAST} characters, or very many"
    )]
    UnusableLength,
    /// Too many attempts.
    #[error(transparent)]
    TooManyFailures(#[from] TooManyFailures),
    /// Too many passwords are being checked at this moment.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Changes the password of a member and ends their other sessions.
///
/// # Errors
/// See [`ChangePasswordError`].
pub async fn change_password(
    app: &App,
    member: &SignedIn,
    change: ChangePassword,
) -> Result<(), ChangePasswordError> {
    if !is_usable(change.new.expose_secret()) {
        return Err(ChangePasswordError::UnusableLength);
    }
    if change.current.expose_secret().len() > PASSWORD_BYTES_AT_MOST {
        return Err(ChangePasswordError::WrongPassword);
    }
    app.sign_in_throttle().count_in_session(member.id, app.now())?;
    let found = app.store().lookup_member(member.id).await?;
    let expected = found.map(|member| member.password_hash);
    if !app.passwords().matches(change.current, expected).await? {
        return Err(ChangePasswordError::WrongPassword);
    }
    app.sign_in_throttle().succeeded_in_session(member.id);
    let password = NewPassword {
        member: member.id,
        password_hash: app.passwords().hash(change.new, app.random()).await?,
        kept_session: oauth::hash(change.session.expose_secret()),
        act: app.act(Actor::Member, Some(change.address)),
    };
    Ok(app.store().change_password(password).await?)
}

/// Length is what counts; rules about characters only make passwords worse (NIST SP 800-63B, section 3.1.1.2).
fn is_usable(password: &str) -> bool {
    password.chars().count() >= PASSWORD_CHARACTERS_AT_LEAST
        && password.len() <= PASSWORD_BYTES_AT_MOST
}

#[cfg(test)]
mod tests {
    use super::is_usable;

    #[test]
    fn a_password_has_twelve_characters_at_least() {
        assert!(is_usable("correct hors") && is_usable(&"é".repeat(12)));
        assert!(!is_usable("correct hor") && !is_usable(&"a".repeat(513)));
    }
}
