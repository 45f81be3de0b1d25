//! A member signs in with e-mail and password. Each sign-in starts a new session, so that nobody can plant one beforehand.

use std::net::IpAddr;

use oauth::{CredentialKind, Lifetime, SESSION_ABSOLUTE};
use secrecy::{ExposeSecret as _, SecretString};
use storage::{Actor, AuditEvent, MemberId, NewSession, StorageError};
use thiserror::Error;

use crate::audit::{Refused, note_refusal};
use crate::entropy::readable;
use crate::members::EmailAddress;
use crate::passwords::PASSWORD_BYTES_AT_MOST;
use crate::sessions::browser_words::browser_words;
use crate::throttle::Pair;
use crate::{App, Busy, TooManyFailures};

/// 50 random bits tell the sessions of a member apart, also those that are over.
const SESSION_ID_LENGTH: usize = 10;

/// What somebody typed, and from where.
#[derive(Debug)]
pub struct SignIn {
    /// The e-mail address as typed.
    pub email: String,
    /// The password as typed.
    pub password: SecretString,
    /// Where the attempt comes from.
    pub address: IpAddr,
    /// What the browser calls itself.
    pub user_agent: String,
}

/// A session that has just started.
#[derive(Debug)]
pub struct StartedSession {
    /// What the browser keeps to show that it is signed in. Stored only as a hash.
    pub credential: SecretString,
    /// How long the session lasts at most.
    pub lifetime: Lifetime,
}

/// Why no session started.
#[derive(Debug, Error)]
pub enum SignInError {
    /// There is no such member, or the password is another; which of the two, nobody is told.
    #[error("the e-mail address or the password is not right")]
    WrongCredentials,
    /// Too many attempts for this e-mail address from this address.
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
    let address = attempt.address;
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
    attempt: SignIn,
    named: &mut Option<MemberId>,
) -> Result<StartedSession, SignInError> {
    if attempt.password.expose_secret().len() > PASSWORD_BYTES_AT_MOST {
        return Err(SignInError::WrongCredentials);
    }
    let email = EmailAddress::parse(&attempt.email).ok_or(SignInError::WrongCredentials)?;
    let pair = Pair::new(attempt.address, email.as_str());
    app.sign_in_failures().count(pair, app.now())?;
    let member = app.store().find_member_by_email(email.as_str()).await?;
    *named = member.as_ref().map(|member| member.id);
    let expected = member.as_ref().map(|member| member.password_hash.clone());
    let is_right = app.passwords().matches(attempt.password, expected).await?;
    let member = member.filter(|_| is_right).ok_or(SignInError::WrongCredentials)?;
    app.sign_in_failures().succeeded(pair);
    Ok(start(app, member.id, attempt.address, &attempt.user_agent).await?)
}

async fn start(
    app: &App,
    member: MemberId,
    address: IpAddr,
    user_agent: &str,
) -> Result<StartedSession, StorageError> {
    let minted = app.mint(CredentialKind::Session);
    let session = NewSession {
        hash: minted.hash,
        id: readable::<SESSION_ID_LENGTH>(app.entropy()),
        member,
        browser: browser_words(user_agent),
        act: app.act(Actor::Member, Some(address)),
    };
    app.store().add_session(session).await?;
    Ok(StartedSession { credential: minted.credential, lifetime: SESSION_ABSOLUTE })
}
