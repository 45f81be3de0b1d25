//! A member signs in with e-mail and password. The commit that starts the session includes the hash that the password was checked against:
//! if the password was changed or reset in between, there is no session.

use secrecy::{ExposeSecret as _, SecretString};
use storage::{AuditEvent, Member, MemberId, Proof, RenewedHash, StorageError};
use thiserror::Error;

use crate::audit::{Refused, note_refusal};
use crate::members::EmailAddress;
use crate::passwords::{PASSWORD_BYTES_AT_MOST, PhcString};
use crate::sessions::choose_password::PasswordDue;
use crate::sessions::known_device::KnownDevice;
use crate::sessions::sign_in_throttle::Attempt;
use crate::sessions::start::{SigningBrowser, StartedSession, start};
use crate::{App, Busy, TooManyFailures};

/// The form that a person sent, and the browser.
#[derive(Debug)]
pub struct SignIn {
    /// The e-mail address as typed.
    pub email: String,
    /// The password as typed.
    pub password: SecretString,
    /// The form token of the browser.
    pub form_token: String,
    /// The browser that signs in.
    pub browser: SigningBrowser,
}

/// The result of a right password.
#[derive(Debug)]
pub enum SignedInWith {
    /// A session.
    Password(StartedSession),
    /// A page on which the member chooses their own password, since another person saw the temporary one.
    TemporaryPassword(PasswordDue),
}

/// How often we check the password again because its hash has changed meanwhile: once if a stronger hash of the same password replaced it,
/// hardly ever more.
const CHECKS_AT_MOST: usize = 3;

/// Why no session started.
#[derive(Debug, Error)]
pub enum SignInError {
    /// There is no such member, or the password is wrong; the answer does not tell which.
    #[error("the e-mail address or the password is wrong")]
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

/// Checks the credentials and starts a session.
///
/// # Errors
/// See [`SignInError`]. An unknown address takes as long as a wrong password.
pub async fn sign_in(app: &App, attempt: SignIn) -> Result<SignedInWith, SignInError> {
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

/// Sets `named` to the member whom the attempt names. We log no other input: it may be a password.
async fn try_sign_in(
    app: &App,
    SignIn { email, password, form_token, browser }: SignIn,
    named: &mut Option<MemberId>,
) -> Result<SignedInWith, SignInError> {
    if password.expose_secret().len() > PASSWORD_BYTES_AT_MOST {
        return Err(SignInError::WrongCredentials);
    }
    let email = EmailAddress::parse(&email).ok_or(SignInError::WrongCredentials)?;
    let found = app.store().find_member_by_email(email.as_str()).await?;
    *named = found.as_ref().map(|member| member.id);
    let mut member = check(app, &email, found, &password, &browser).await?;
    for _ in 0..CHECKS_AT_MOST {
        if member.is_password_temporary {
            let due = PasswordDue::of(app, &member, &form_token).await?;
            return Ok(SignedInWith::TemporaryPassword(due));
        }
        let hash = renew_hash(app, &member, password.clone()).await?;
        match start(app, member.id, Proof::Password(hash), &browser).await {
            Err(StorageError::Conflict) => member = check_anew(app, member.id, &password).await?,
            started => return Ok(SignedInWith::Password(started?)),
        }
    }
    Err(SignInError::WrongCredentials)
}

/// The member, if the password is theirs. Attempts are slowed.
async fn check(
    app: &App,
    email: &EmailAddress,
    member: Option<Member>,
    password: &SecretString,
    browser: &SigningBrowser,
) -> Result<Member, SignInError> {
    let known = match &member {
        Some(member) => KnownDevice::find(app, browser.device.as_ref(), member.id).await?,
        None => None,
    };
    let attempt = Attempt {
        email: email.as_str(),
        address: browser.address,
        known_browser: known.as_ref().map(|device| device.id.as_str()),
    };
    app.limits().sign_in.check(attempt, app.now())?;
    let expected = member.as_ref().map(|member| member.password_hash.clone());
    let turn = app.passwords().turn().await?;
    // Only now: otherwise a member who signs in in many browsers at once would slow themselves down.
    app.limits().sign_in.count(attempt, app.now())?;
    let is_right = turn.matches(password.clone(), expected).await;
    let member = member.filter(|_| is_right).ok_or(SignInError::WrongCredentials)?;
    app.limits().sign_in.succeeded(attempt);
    Ok(member)
}

/// The same member, after their password or its hash has changed, if the password is still theirs.
async fn check_anew(
    app: &App,
    id: MemberId,
    password: &SecretString,
) -> Result<Member, SignInError> {
    let member = app.store().lookup_member(id).await?.ok_or(SignInError::WrongCredentials)?;
    let expected = Some(member.password_hash.clone());
    let is_right = app.passwords().matches(password.clone(), expected).await?;
    if is_right { Ok(member) } else { Err(SignInError::WrongCredentials) }
}

/// Replaces a hash made with weaker parameters, since only sign-in knows the password; under load, at a later sign-in. Returns the member's
/// current hash, as far as we know.
async fn renew_hash(
    app: &App,
    member: &Member,
    password: SecretString,
) -> Result<PhcString, StorageError> {
    let known = &member.password_hash;
    match app.passwords().renewed(password, known, app.random()).await {
        Ok(Some(after)) => {
            let renewed =
                RenewedHash { member: member.id, before: known.clone(), after: after.clone() };
            app.store().renew_password_hash(renewed).await?;
            Ok(after)
        }
        Ok(None) | Err(Busy) => Ok(known.clone()),
    }
}
