//! Answers to clients: what they asked for, or an error (RFC 6749 section 5.2), always JSON that no cache may keep.

use app::grants::RequestTokensError;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, PRAGMA, REFERRER_POLICY, RETRY_AFTER, WWW_AUTHENTICATE,
};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use oauth::{ErrorCode, OAuthError};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use storage::StorageError;
use web::{Failure as EdgeFailure, RETRY_AFTER_SECONDS, log_storage_error};

/// Why there is no answer but this one.
pub(super) enum Failure {
    /// The request was understood, but not granted.
    Refused(RequestTokensError),
    /// Nothing has this address.
    NoSuchEndpoint,
    /// The method is not POST.
    WrongMethod,
    /// The body ended before it was complete, or is not what its headers say.
    UnreadableBody,
    /// There is a body, and it is no form.
    NoForm,
    /// The body is larger than any request needs.
    BodyTooLarge,
    /// No handler answered.
    Unanswered(EdgeFailure),
}

impl From<RequestTokensError> for Failure {
    fn from(error: RequestTokensError) -> Self {
        Self::Refused(error)
    }
}

/// An answer that holds credentials.
pub(super) fn secret_json(body: &SecretString) -> Response {
    answer(StatusCode::OK, body.expose_secret().to_owned())
}

/// Any other answer.
pub(super) fn json(body: &Value) -> Response {
    answer(StatusCode::OK, body.to_string())
}

/// For every other address below `/oauth2`: a client that mistyped one reads the answer as JSON, too.
pub(super) async fn no_such_endpoint() -> Failure {
    Failure::NoSuchEndpoint
}

/// For every method but POST: what a GET asks for would be in logs and histories.
pub(super) async fn wrong_method() -> Failure {
    Failure::WrongMethod
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Self::Refused(RequestTokensError::Refused(error)) => refused(&error),
            Self::Refused(RequestTokensError::TooManyFailures(failures)) => {
                let response = answer(StatusCode::TOO_MANY_REQUESTS, TOO_MANY_FAILURES.to_json());
                with_header(response, RETRY_AFTER, HeaderValue::from(failures.retry_after_seconds))
            }
            Self::Refused(RequestTokensError::Storage(error)) => failed(&error),
            Self::NoSuchEndpoint => answer(StatusCode::NOT_FOUND, NO_SUCH_ENDPOINT.to_json()),
            Self::WrongMethod => answer(StatusCode::METHOD_NOT_ALLOWED, WRONG_METHOD.to_json()),
            Self::UnreadableBody => refused(&UNREADABLE_BODY),
            Self::NoForm => refused(&NO_FORM),
            Self::BodyTooLarge => answer(StatusCode::PAYLOAD_TOO_LARGE, BODY_TOO_LARGE.to_json()),
            Self::Unanswered(failure) => unanswered(failure),
        }
    }
}

/// 400, but 401 with a challenge for a client that did not prove who it is.
fn refused(error: &OAuthError) -> Response {
    if error.code != ErrorCode::InvalidClient {
        return answer(StatusCode::BAD_REQUEST, error.to_json());
    }
    let challenge = HeaderValue::from_static("Basic realm=\"assay\", charset=\"UTF-8\"");
    with_header(answer(StatusCode::UNAUTHORIZED, error.to_json()), WWW_AUTHENTICATE, challenge)
}

fn unanswered(failure: EdgeFailure) -> Response {
    let body = match failure {
        EdgeFailure::Malformed => MALFORMED.to_json(),
        EdgeFailure::InsecureTransport => INSECURE_TRANSPORT.to_json(),
        EdgeFailure::Panicked => SERVER_ERROR.to_owned(),
        EdgeFailure::LateRequest => LATE_REQUEST.to_json(),
        EdgeFailure::Overloaded | EdgeFailure::LateAnswer => return unavailable(BUSY),
    };
    answer(failure.status(), body)
}

fn failed(error: &StorageError) -> Response {
    log_storage_error(error);
    match error {
        StorageError::Busy => unavailable(BUSY),
        StorageError::Unavailable(_) => unavailable(NO_DATABASE),
        // Waiting does not cure it.
        StorageError::ReadOnly => answer(StatusCode::SERVICE_UNAVAILABLE, READ_ONLY.to_owned()),
        StorageError::FileGone => answer(StatusCode::SERVICE_UNAVAILABLE, FILE_GONE.to_owned()),
        StorageError::Full => unavailable(DISK_FULL),
        StorageError::Conflict
        | StorageError::KeyTaken
        | StorageError::NoSuchProject
        | StorageError::SignedOut
        | StorageError::Corrupt(_)
        | StorageError::Damaged(_)
        | StorageError::Document(_)
        | StorageError::EventFiles(_)
        | StorageError::Stopped(_) => {
            answer(StatusCode::INTERNAL_SERVER_ERROR, SERVER_ERROR.to_owned())
        }
    }
}

fn unavailable(body: &'static str) -> Response {
    let response = answer(StatusCode::SERVICE_UNAVAILABLE, body.to_owned());
    with_header(response, RETRY_AFTER, RETRY_AFTER_SECONDS)
}

fn answer(status: StatusCode, body: String) -> Response {
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "no-store"),
        (PRAGMA, "no-cache"),
        (REFERRER_POLICY, "no-referrer"),
    ];
    (status, headers, body).into_response()
}

fn with_header(mut response: Response, name: HeaderName, value: HeaderValue) -> Response {
    response.headers_mut().insert(name, value);
    response
}

const NO_SUCH_ENDPOINT: OAuthError =
    OAuthError::new(ErrorCode::InvalidRequest, "nothing has this address");
const WRONG_METHOD: OAuthError =
    OAuthError::new(ErrorCode::InvalidRequest, "this endpoint takes POST only");
const MALFORMED: OAuthError =
    OAuthError::new(ErrorCode::InvalidRequest, "the request is not proper HTTP");
const INSECURE_TRANSPORT: OAuthError = OAuthError::new(
    ErrorCode::InvalidRequest,
    "the request came over plain http, where others can read it; send it to the https address, and change the secrets it held",
);
const LATE_REQUEST: OAuthError =
    OAuthError::new(ErrorCode::InvalidRequest, "the request did not arrive in time");
const UNREADABLE_BODY: OAuthError =
    OAuthError::new(ErrorCode::InvalidRequest, "the body could not be read");
const NO_FORM: OAuthError = OAuthError::new(
    ErrorCode::InvalidRequest,
    "the body must be `application/x-www-form-urlencoded`, and not compressed",
);
const BODY_TOO_LARGE: OAuthError =
    OAuthError::new(ErrorCode::InvalidRequest, "the body is too large");
const TOO_MANY_FAILURES: OAuthError = OAuthError::new(
    ErrorCode::InvalidClient,
    "the client failed to prove who it is too often; try again later",
);

/// RFC 6749 names these two codes for the authorization endpoint only (section 4.1.2.1); clients know them all the same.
const BUSY: &str = r#"{"error":"temporarily_unavailable","error_description":"the server is busy; try again in a second"}"#;
const NO_DATABASE: &str = r#"{"error":"temporarily_unavailable","error_description":"the server's database does not answer as it should; try again in a second"}"#;
const READ_ONLY: &str = r#"{"error":"temporarily_unavailable","error_description":"the server's database is read-only; it takes no changes until its operator lets it"}"#;
const FILE_GONE: &str = r#"{"error":"temporarily_unavailable","error_description":"the file of the server's database was moved, removed or replaced; its operator has to put it back"}"#;
const DISK_FULL: &str = r#"{"error":"temporarily_unavailable","error_description":"the server's disk is full; try again when there is room"}"#;
const SERVER_ERROR: &str = r#"{"error":"server_error","error_description":"the server failed; its log tells more under the id in `X-Request-Id`"}"#;

#[cfg(test)]
mod tests {
    use app::grants::RequestTokensError;
    use axum::body::to_bytes;
    use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, PRAGMA, RETRY_AFTER};
    use axum::response::IntoResponse as _;
    use serde_json::Value;
    use storage::StorageError;

    use super::{EdgeFailure, Failure};

    /// The status, `Retry-After` and `error` of an answer, which is JSON that no cache may keep.
    async fn answer(failure: Failure) -> (u16, String, String) {
        let response = failure.into_response();
        let header = |name| {
            let value = response.headers().get(name).map(|value| value.to_str().unwrap());
            value.unwrap_or_default().to_owned()
        };
        assert_eq!(header(CONTENT_TYPE), "application/json");
        assert_eq!((&*header(CACHE_CONTROL), &*header(PRAGMA)), ("no-store", "no-cache"));
        let (status, retry_after) = (response.status().as_u16(), header(RETRY_AFTER));
        let body = to_bytes(response.into_body(), 1_000).await.unwrap();
        let error = serde_json::from_slice::<Value>(&body).unwrap()["error"].clone();
        (status, retry_after, error.as_str().unwrap().to_owned())
    }

    fn expected_answer(status: u16, retry_after: &str, error: &str) -> (u16, String, String) {
        (status, retry_after.to_owned(), error.to_owned())
    }

    #[tokio::test]
    async fn overload_is_told_as_such_and_never_as_a_lost_grant() {
        let storage = |error| Failure::Refused(RequestTokensError::Storage(error));

        let unavailable = StorageError::Unavailable("connection closed".to_owned());
        for (error, wait) in
            [(StorageError::Busy, "1"), (unavailable, "1"), (StorageError::ReadOnly, "")]
        {
            let expected = expected_answer(503, wait, "temporarily_unavailable");
            assert_eq!(answer(storage(error)).await, expected);
        }
        for error in [StorageError::Conflict, StorageError::corrupt("a row")] {
            assert_eq!(answer(storage(error)).await, expected_answer(500, "", "server_error"));
        }
    }

    #[tokio::test]
    async fn a_request_that_no_handler_answered_gets_an_oauth_error() {
        let edge = async |failure| answer(Failure::Unanswered(failure)).await;

        assert_eq!(edge(EdgeFailure::Panicked).await, expected_answer(500, "", "server_error"));
        assert_eq!(
            edge(EdgeFailure::LateRequest).await,
            expected_answer(408, "", "invalid_request")
        );
        for busy in [EdgeFailure::LateAnswer, EdgeFailure::Overloaded] {
            assert_eq!(edge(busy).await, expected_answer(503, "1", "temporarily_unavailable"));
        }
        assert_eq!(edge(EdgeFailure::Malformed).await, expected_answer(400, "", "invalid_request"));
    }
}
