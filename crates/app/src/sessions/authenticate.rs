//! Finds the member of a browser by its session cookie.

use oauth::{CredentialHash, Timestamp};
use storage::{MemberId, StorageError};

use crate::App;

/// A signed-in member.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// The member's id.
    pub id: MemberId,
    /// The address they signed in with.
    pub email: String,
    /// The session: a change made in it takes effect only if it is still alive at commit.
    pub session: CredentialHash,
    /// When the member proved their identity.
    pub signed_in_at: Timestamp,
}

/// Finds the member of a session; `None` if the session is unknown, ended or expired.
///
/// # Errors
/// When the store does not answer.
pub async fn authenticate(app: &App, credential: &str) -> Result<Option<SignedIn>, StorageError> {
    let Some(hash) = oauth::hash(credential) else { return Ok(None) };
    let session = app.store().find_session(&hash, app.now()).await?;
    Ok(session.map(|session| SignedIn {
        id: session.member.id,
        email: session.member.email,
        session: hash,
        signed_in_at: session.started_at,
    }))
}
