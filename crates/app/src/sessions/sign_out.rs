//! A member signs out: the session ends in the store, not only in the browser.

use std::net::IpAddr;

use storage::{ActorKind, StorageError};

use crate::App;

/// Ends a session; an unknown or expired one is no error.
///
/// # Errors
/// When the store does not answer.
pub async fn sign_out(app: &App, credential: &str, address: IpAddr) -> Result<(), StorageError> {
    let Some(hash) = oauth::hash(credential) else { return Ok(()) };
    app.store().remove_session(&hash, app.act(ActorKind::Member, Some(address))).await
}
