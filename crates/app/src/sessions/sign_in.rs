//! A member signs in with e-mail and password.

use secrecy::{ExposeSecret as _, SecretString};
use storage::{AuditEvent, Member, MemberId, Proof, RenewedHash, StorageError};
use thiserror::Error;

use crate::audit::{Refused, note_refusal};
use crate::members::EmailAddress;
use crate::passwords::PASSWORD_BYTES_AT_MOST;
use crate::sessions::known_device::KnownDevice;
use crate::sessions::sign_in_throttle::Attempt;
use crate::sessions::start::{SigningBrowser, StartedSession, start};
use crate::{App, Busy, TooManyFailures};

/// What somebody typed, and where.
#[derive(Debug)]
pub struct SignIn {
    /// The e-mail address as typed.
    pub email: String,
    /// The password as typed.
    pub password: SecretString,
    /// In which browser.
    pub browser: SigningBrowser,
}

/// Why no session started.
#[derive(Debug, Error)]
pub enum SignInError {
    /// There is no such member, or the password is another; which of the two, nobody is told.
    #[error("the e-mail address or the password is not right")]
    WrongCredentials,
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

/// Checks what was typed and starts a session.
///
/// # Errors
/// See [`SignInError`]. An unknown address takes as long as a wrong password.
pub async fn sign_in(app: &App, attempt: SignIn) -> Result<StartedSession, SignInError> {
    let address = attempt.browser.address;
    let mut named = None;
    let signed_in = try_sign_in(app, attempt, &mut named).await;
    let event = match &signed_in {
        Err(SignInError::WrongCredentials) => AuditEvent::SignInRefused,
        Err(SignInError::TooManyFailures(_)) => AuditEvent::SignInThrottled,
        Ok(_) | Err(SignInError::Busy(_) | SignInError::Storage(_)) => return signed_in,
    };
    note_refusal(app, Refused { event, member: named, client_id: None, address });
    signed_in
}

/// `named` becomes the member whom the attempt names. What was typed otherwise is written down nowhere: it may be a password.
async fn try_sign_in(
    app: &App,
    SignIn { email, password, browser }: SignIn,
    named: &mut Option<MemberId>,
) -> Result<StartedSession, SignInError> {
    if password.expose_secret().len() > PASSWORD_BYTES_AT_MOST {
        return Err(SignInError::WrongCredentials);
    }
    let email = EmailAddress::parse(&email).ok_or(SignInError::WrongCredentials)?;
    let member = app.store().find_member_by_email(email.as_str()).await?;
    *named = member.as_ref().map(|member| member.id);
    let known = match &member {
        Some(member) => KnownDevice::find(app, browser.device.as_ref(), member.id).await?,
        None => None,
    };
    let attempt = Attempt {
        email: email.as_str(),
        address: browser.address,
        known_browser: known.as_ref().map(|device| device.id.as_str()),
    };
    app.sign_in_throttle().check(attempt, app.now())?;
    let expected = member.as_ref().map(|member| member.password_hash.clone());
    let turn = app.passwords().turn().await?;
    // Only now, or somebody who signs in in many browsers at once would stand in their own way.
    app.sign_in_throttle().count(attempt, app.now())?;
    let is_right = turn.matches(password.clone(), expected).await;
    let member = member.filter(|_| is_right).ok_or(SignInError::WrongCredentials)?;
    app.sign_in_throttle().succeeded(attempt);
    renew_hash(app, &member, password).await?;
    Ok(start(app, member.id, Proof::Password, &browser).await?)
}

/// Hashes that were made when less was thought enough are replaced here, where the password is known; while there is much to do, another
/// time.
async fn renew_hash(
    app: &App,
    member: &Member,
    password: SecretString,
) -> Result<(), StorageError> {
    let known = &member.password_hash;
    match app.passwords().renewed(password, known, app.random()).await {
        Ok(Some(after)) => {
            let renewed = RenewedHash { member: member.id, before: known.clone(), after };
            app.store().renew_password_hash(renewed).await
        }
        Ok(None) | Err(Busy) => Ok(()),
    }
}
