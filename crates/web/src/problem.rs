//! Error answers for programs: RFC 9457 problem details. Pages for people word theirs in `console`.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use storage::StorageError;

/// How soon a caller may try again when we have too much to do: queues empty within milliseconds.
pub const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("1");

/// What went wrong with a request, told in one sentence.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    detail: &'static str,
    header: Option<(HeaderName, HeaderValue)>,
}

/// The members of RFC 9457 section 3.1. With `about:blank` the title is the status phrase (section 4.2.1).
#[derive(Serialize)]
struct Document {
    r#type: &'static str,
    title: &'static str,
    status: u16,
    detail: &'static str,
}

impl Problem {
    /// A problem with this status; the detail helps the caller to mend the request.
    #[must_use]
    pub fn new(status: StatusCode, detail: &'static str) -> Self {
        Self { status, detail, header: None }
    }

    /// Sends one more header along.
    #[must_use]
    pub fn with_header(self, name: HeaderName, value: HeaderValue) -> Self {
        Self { header: Some((name, value)), ..self }
    }

    /// Nothing has this address.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "nothing has this address")
    }

    /// There is too much to do at this moment.
    #[must_use]
    pub fn unavailable() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "the server is busy; try again in a second")
            .with_header(RETRY_AFTER, RETRY_AFTER_SECONDS)
    }

    /// It is our fault.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the server failed; its log tells more under the id in `X-Request-Id`",
        )
    }
}

/// Logs what the store said. The edge does so once for each failed request; the request's id is in the log line's span.
pub fn log_storage_error(error: &StorageError) {
    tracing::error!(%error, "the store failed");
}

impl From<StorageError> for Problem {
    fn from(error: StorageError) -> Self {
        log_storage_error(&error);
        match error {
            StorageError::Busy | StorageError::Unavailable(_) => Self::unavailable(),
            StorageError::Conflict | StorageError::Corrupt(_) => Self::internal(),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let document = Document {
            r#type: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            detail: self.detail,
        };
        let body = serde_json::to_vec(&document).expect("strings and a number become JSON");
        let headers = [
            (CONTENT_TYPE, HeaderValue::from_static("application/problem+json")),
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        let mut response = (self.status, headers, body).into_response();
        response.headers_mut().extend(self.header);
        response
    }
}
