//! Why a request at the token endpoint, or at its neighbours, is refused.

use oauth::OAuthError;
use storage::StorageError;
use thiserror::Error;

use crate::TooManyFailures;

/// Why the client gets no tokens.
#[derive(Debug, Error)]
pub enum RequestTokensError {
    /// The client is told the reason.
    #[error(transparent)]
    Refused(#[from] OAuthError),
    /// This client failed to authenticate too often from this address.
    #[error(transparent)]
    TooManyFailures(#[from] TooManyFailures),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl RequestTokensError {
    /// The reason in a word, for operators.
    pub(super) const fn as_str(&self) -> &'static str {
        match self {
            Self::Refused(error) => error.code.as_str(),
            Self::TooManyFailures(_) => "too_many_failures",
            Self::Storage(_) => "storage",
        }
    }
}
