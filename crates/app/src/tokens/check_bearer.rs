//! Finds what an access token allows.

use storage::{AccessGrant, StorageError};
use thiserror::Error;

use crate::App;

/// Why a token does not allow a request.
#[derive(Debug, Error)]
pub enum CheckBearerError {
    /// It is unknown, expired or revoked; the answer does not tell which.
    #[error("the access token is unknown, expired or revoked")]
    InvalidToken,
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Finds what an access token allows.
///
/// # Errors
/// See [`CheckBearerError`].
pub async fn check_bearer(app: &App, token: &str) -> Result<AccessGrant, CheckBearerError> {
    let hash = oauth::hash(token).ok_or(CheckBearerError::InvalidToken)?;
    let grant = app.store().find_access_token(&hash, app.now()).await?;
    grant.ok_or(CheckBearerError::InvalidToken)
}
