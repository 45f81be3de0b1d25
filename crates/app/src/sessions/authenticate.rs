//! A browser shows its session cookie: who is it?

use oauth::{CredentialHash, Timestamp};
use storage::{MemberId, StorageError};

use crate::App;

/// The member who is signed in.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// Who it is.
    pub id: MemberId,
    /// The address they signed in with.
    pub email: String,
    /// The session: what is done in it is done only if it is still alive then.
    pub session: CredentialHash,
    /// When they proved who they are.
    pub signed_in_at: Timestamp,
}

/// Finds the member of a session, or nobody if the session is unknown, ended or over.
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
