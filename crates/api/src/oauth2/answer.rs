//! Answers to clients: what they asked for, or an error (RFC 6749 section 5.2), always JSON that nobody may keep.

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
use web::{RETRY_AFTER_SECONDS, log_storage_error};

/// Why there is no answer but this one.
pub(super) enum Failure {
    /// The request was understood, but not granted.
    Refused(RequestTokensError),
    /// The method is not POST.
    WrongMethod,
    /// There is a body, and it is no form.
    NoForm,
    /// The body is larger than any request needs.
    BodyTooLarge,
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
            Self::WrongMethod => answer(StatusCode::METHOD_NOT_ALLOWED, WRONG_METHOD.to_json()),
            Self::NoForm => refused(&NO_FORM),
            Self::BodyTooLarge => answer(StatusCode::PAYLOAD_TOO_LARGE, BODY_TOO_LARGE.to_json()),
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

fn failed(error: &StorageError) -> Response {
    log_storage_error(error);
    match error {
        StorageError::Busy | StorageError::Unavailable(_) => {
            let response = answer(StatusCode::SERVICE_UNAVAILABLE, BUSY.to_owned());
            with_header(response, RETRY_AFTER, RETRY_AFTER_SECONDS)
        }
        StorageError::Conflict | StorageError::Corrupt(_) => {
            answer(StatusCode::INTERNAL_SERVER_ERROR, SERVER_ERROR.to_owned())
        }
    }
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

const WRONG_METHOD: OAuthError =
    OAuthError::new(ErrorCode::InvalidRequest, "this endpoint takes POST only");
const NO_FORM: OAuthError = OAuthError::new(
    ErrorCode::InvalidRequest,
    "the body must be `application/x-www-form-urlencoded`",
);
const BODY_TOO_LARGE: OAuthError =
    OAuthError::new(ErrorCode::InvalidRequest, "the body is too large");
const TOO_MANY_FAILURES: OAuthError = OAuthError::new(
    ErrorCode::InvalidClient,
    "the client failed to prove who it is too often; try again later",
);

/// RFC 6749 names these two codes for the authorization endpoint only (section 4.1.2.1); clients know them all the same.
const BUSY: &str = r#"{"error":"temporarily_unavailable","error_description":"the server is busy; try again in a second"}"#;
const SERVER_ERROR: &str = r#"{"error":"server_error","error_description":"the server failed; its log tells more under the id in `X-Request-Id`"}"#;
