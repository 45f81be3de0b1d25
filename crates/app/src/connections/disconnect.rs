//! A member disconnects an application, so that it no longer acts for them.

use std::net::IpAddr;

use storage::{ActorKind, StorageError};

use crate::App;
use crate::sessions::SignedIn;

/// Ends what this member allowed an application: consent, codes and tokens, in one commit. An application without access, or one that does
/// not exist, is no error.
///
/// # Errors
/// When the store does not answer.
pub async fn disconnect(
    app: &App,
    member: &SignedIn,
    client_id: &str,
    address: IpAddr,
) -> Result<(), StorageError> {
    let Ok(client_id) = client_id.parse() else { return Ok(()) };
    let act = app.act(ActorKind::Member, Some(address));
    app.store().disconnect(member.id, &client_id, act).await.map(drop)
}
