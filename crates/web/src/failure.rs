//! What becomes of a request that no handler answers.

use axum::http::StatusCode;

/// A request that no handler answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The request breaks a rule of HTTP.
    Malformed,
    /// Others could read the request on its way.
    InsecureTransport,
    /// The handler panicked.
    Panicked,
    /// The bodies of other requests leave no room for its own.
    Overloaded,
    /// The request was not complete in time.
    LateRequest,
    /// The request was complete, and the answer took too long. What it asks for may be done.
    LateAnswer,
}

impl Failure {
    /// The status for the caller.
    #[must_use]
    pub fn status(self) -> StatusCode {
        match self {
            Self::Malformed => StatusCode::BAD_REQUEST,
            Self::InsecureTransport => StatusCode::FORBIDDEN,
            Self::Panicked => StatusCode::INTERNAL_SERVER_ERROR,
            Self::LateRequest => StatusCode::REQUEST_TIMEOUT,
            Self::Overloaded | Self::LateAnswer => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}
