//! The set-up token. The store's signing key makes it: it is the same in every process and after a restart, and nothing stores it.

use std::net::IpAddr;

use secrecy::{ExposeSecret as _, SecretString};
use storage::{Counted, StorageError, WhichProjects};
use thiserror::Error;

use crate::signing_key::signing_key;
use crate::throttle::{Allowance, Source};
use crate::{App, TooManyFailures};

/// Identifies it to people and secret scanners.
const PREFIX: &str = "assay_su_";

/// What the key signs. No other text that it signs is this one.
const SIGNED: &str = "assay set-up";

/// The token cannot be guessed; the limit spares the store. A person pastes the wrong line a few times.
pub(crate) const SET_UP_FAILURES: Allowance = Allowance {
    failures: 20,
    forgotten_after_ms: 60_000,
    first_wait_ms: 1_000,
    longest_wait_ms: 60_000,
};

/// Why a token does not set up the server.
#[derive(Debug, Error)]
pub enum SetUpTokenError {
    /// The server has a member.
    #[error("this server is set up already")]
    AlreadySetUp,
    /// It is another text.
    #[error("this is not the set-up token of this server")]
    Wrong,
    /// There were too many wrong ones.
    #[error(transparent)]
    TooManyFailures(#[from] TooManyFailures),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Whether the server has no member yet.
///
/// # Errors
/// If the store does not answer.
pub async fn needs_setup(app: &App) -> Result<bool, StorageError> {
    Ok(app.store().count(Counted::Members(None)).await? == 0)
}

/// Whether set-up also makes the first project: a server that a project file or a seed gave one has no need of another.
///
/// # Errors
/// If the store does not answer.
pub async fn needs_project(app: &App) -> Result<bool, StorageError> {
    Ok(app.store().count(Counted::Projects(WhichProjects::Any)).await? == 0)
}

/// The set-up token; `None` once the server has a member.
///
/// # Errors
/// If the store does not answer.
pub async fn setup_token(app: &App) -> Result<Option<SecretString>, StorageError> {
    if !needs_setup(app).await? {
        return Ok(None);
    }
    let signature = signing_key(app).await?.sign(SIGNED);
    Ok(Some(SecretString::from(format!("{PREFIX}{signature}"))))
}

/// Checks a set-up token that came from an address, and counts wrong ones.
///
/// # Errors
/// See [`SetUpTokenError`].
pub async fn check_setup_token(
    app: &App,
    token: &SecretString,
    address: IpAddr,
) -> Result<(), SetUpTokenError> {
    let source = Source::address(address);
    app.limits().set_up_failures.check(source, app.now())?;
    if !needs_setup(app).await? {
        return Err(SetUpTokenError::AlreadySetUp);
    }
    if verify(app, token).await? {
        return Ok(());
    }
    app.limits().set_up_failures.count(source, app.now())?;
    Err(SetUpTokenError::Wrong)
}

/// Whether this is the set-up token, in constant time.
async fn verify(app: &App, token: &SecretString) -> Result<bool, StorageError> {
    let key = signing_key(app).await?;
    let signature = token.expose_secret().strip_prefix(PREFIX);
    Ok(signature.is_some_and(|signature| key.verifies(SIGNED, signature)))
}
