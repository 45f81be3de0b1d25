//! A member changes their password. An intruder may know the old one or have a copy of this session, so that every session ends, and a new
//! one starts in this browser. The commit requires that the old password is still theirs and the session alive: a reset in between wins.

use secrecy::{ExposeSecret as _, SecretString};
use storage::{
    ActorKind, ChoosePasswordOutcome, ChoosingSession, ChosenPassword, MemberId, Proof,
    StorageError,
};
use thiserror::Error;

use crate::new_password::{NewPassword, UnusablePassword};
use crate::passwords::{PASSWORD_BYTES_AT_MOST, PhcString};
use crate::sessions::SignedIn;
use crate::sessions::start::{Beginning, SigningBrowser, StartedSession};
use crate::{App, Busy, TooManyFailures};

/// The form that a member sent.
#[derive(Debug)]
pub struct ChangePassword {
    /// The current password.
    pub current: SecretString,
    /// The new password.
    pub new: SecretString,
    /// The ids of passkeys to remove.
    pub removed_passkeys: Vec<String>,
    /// The browser.
    pub browser: SigningBrowser,
}

/// Why the password was not changed.
#[derive(Debug, Error)]
pub enum ChangePasswordError {
    /// The current password is wrong.
    #[error("the current password is wrong")]
    WrongPassword,
    /// The session has just ended, in another browser or because of a password reset.
    #[error("the member is not signed in any more")]
    SignedOut,
    /// The new one is too short or too long.
    #[error(transparent)]
    Password(#[from] UnusablePassword),
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

/// Why a member failed to prove that they know the password.
#[derive(Debug, Error)]
pub(crate) enum ProveError {
    #[error("the password is wrong")]
    WrongPassword,
    #[error(transparent)]
    Busy(#[from] Busy),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<ProveError> for ChangePasswordError {
    fn from(error: ProveError) -> Self {
        match error {
            ProveError::WrongPassword => Self::WrongPassword,
            ProveError::Busy(busy) => Self::Busy(busy),
            ProveError::Storage(error) => Self::Storage(error),
        }
    }
}

/// Changes the password of a member, ends their sessions, and starts a new one in this browser.
///
/// # Errors
/// See [`ChangePasswordError`].
pub async fn change_password(
    app: &App,
    member: &SignedIn,
    change: ChangePassword,
) -> Result<StartedSession, ChangePasswordError> {
    let new = NewPassword::parse(change.new)?;
    if change.current.expose_secret().len() > PASSWORD_BYTES_AT_MOST {
        return Err(ChangePasswordError::WrongPassword);
    }
    app.limits().sign_in.count_in_session(member.id, app.now())?;
    let before = prove(app, member.id, change.current).await?;
    app.limits().sign_in.succeeded_in_session(member.id);
    let after = app.passwords().hash(new, app.random()).await?;
    let proof = Proof::Password(after.clone());
    let Beginning { session, credential } = Beginning::of(app, member.id, proof, &change.browser);
    let chosen = ChosenPassword {
        member: member.id,
        before,
        after,
        removed_passkeys: change.removed_passkeys,
        session: ChoosingSession::Renewed(member.session, Box::new(session)),
        act: app.act(ActorKind::Member, Some(change.browser.address)),
    };
    match app.store().choose_password(chosen).await? {
        ChoosePasswordOutcome::Chosen => Ok(credential.started(app, member.id).await?),
        ChoosePasswordOutcome::OtherPassword => Err(ChangePasswordError::WrongPassword),
        ChoosePasswordOutcome::SignedOut => Err(ChangePasswordError::SignedOut),
    }
}

/// The hash of the password, if the member typed that password.
pub(crate) async fn prove(
    app: &App,
    member: MemberId,
    password: SecretString,
) -> Result<PhcString, ProveError> {
    let expected = app.store().lookup_member(member).await?.map(|member| member.password_hash);
    let is_right = app.passwords().matches(password, expected.clone()).await?;
    expected.filter(|_| is_right).ok_or(ProveError::WrongPassword)
}
