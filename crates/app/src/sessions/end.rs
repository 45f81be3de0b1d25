//! A member signs out other browsers: a lost one, or all but the current one.

use std::net::IpAddr;

use storage::{ActorKind, StorageError};

use crate::App;
use crate::sessions::SignedIn;

/// Ends a session of this member by its id; an unknown session is no error.
///
/// # Errors
/// When the store does not answer.
pub async fn end_session(
    app: &App,
    member: &SignedIn,
    id: &str,
    address: IpAddr,
) -> Result<(), StorageError> {
    let act = app.act(ActorKind::Member, Some(address));
    app.store().end_session(member.id, id, act).await.map(drop)
}

/// Ends all sessions of this member except the one with `credential`.
///
/// # Errors
/// When the store does not answer.
pub async fn end_other_sessions(
    app: &App,
    member: &SignedIn,
    credential: &str,
    address: IpAddr,
) -> Result<(), StorageError> {
    let Some(kept) = oauth::hash(credential) else { return Ok(()) };
    let act = app.act(ActorKind::Member, Some(address));
    app.store().end_other_sessions(member.id, &kept, act).await.map(drop)
}
