//! A member lists their sessions.

use oauth::Timestamp;
use storage::StorageError;

use crate::App;
use crate::sessions::SignedIn;

/// A session of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSession {
    /// Its id.
    pub id: String,
    /// The browser, in words; empty if unknown.
    pub browser: String,
    /// When the member signed in.
    pub started_at: Timestamp,
    /// When it was last used, to about ten minutes.
    pub seen_at: Timestamp,
    /// Whether it is the current one.
    pub is_this: bool,
}

/// The sessions of a member: first the one with `credential`, then those used last, up to a hundred.
///
/// # Errors
/// When the store does not answer.
pub async fn list_sessions(
    app: &App,
    member: &SignedIn,
    credential: &str,
) -> Result<Vec<OpenSession>, StorageError> {
    let this = oauth::hash(credential);
    let lines = app.store().list_sessions(member.id, app.now()).await?.into_iter();
    let mut sessions: Vec<_> = lines
        .map(|line| OpenSession {
            is_this: Some(line.hash) == this,
            id: line.id,
            browser: line.browser,
            started_at: line.started_at,
            seen_at: line.seen_at,
        })
        .collect();
    sessions.sort_by_key(|session| !session.is_this);
    Ok(sessions)
}
