//! Bodies that are JSON.

use axum::body::Bytes;
use axum::extract::{FromRequest as _, Request};
use axum::http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use domain::{Fault, Pointer};
use serde_json::{Map, Value};
use web::{Problem, ProblemCode};

const MEDIA_TYPE: &str = "application/json";

/// What a change may call itself (RFC 7396).
const MERGE_PATCH: &str = "application/merge-patch+json";

/// The text of a request's body, which is JSON by its `Content-Type`. How long it may be is the router's affair (`DefaultBodyLimit`).
pub(crate) async fn json_text(request: Request) -> Result<String, Problem> {
    text_of(request, &[MEDIA_TYPE, MERGE_PATCH]).await
}

/// The same of a body that may call itself otherwise, too.
pub(crate) async fn text_of(request: Request, media_types: &[&str]) -> Result<String, Problem> {
    refuse_encoded(request.headers())?;
    let says_json = is_one_of(request.headers(), media_types);
    let body =
        Bytes::from_request(request, &()).await.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                Problem::new(ProblemCode::BodyTooLong, "the body is too long")
            }
            _ => Problem::new(ProblemCode::BodyIncomplete, "the body did not arrive whole"),
        })?;
    if body.is_empty() {
        return Err(Problem::new(ProblemCode::BodyRequired, "a body in JSON is needed here"));
    }
    if !says_json {
        return Err(not_json());
    }
    String::from_utf8(body.into()).map_err(|_| {
        let message = "the body is not valid UTF-8";
        Problem::faults(&[Fault::error("unreadable", Pointer::root(), message)])
    })
}

/// Bodies are read as they come: one that says that it is encoded is refused for that (RFC 9110 section 15.5.16), and not for what its bytes
/// look like.
pub(crate) fn refuse_encoded(headers: &HeaderMap) -> Result<(), Problem> {
    let is_plain = |coding: &HeaderValue| coding.as_bytes().eq_ignore_ascii_case(b"identity");
    if headers.get_all(CONTENT_ENCODING).iter().all(is_plain) {
        return Ok(());
    }
    let detail = "the body has a `Content-Encoding`; send it as it is, without that header";
    Err(Problem::new(ProblemCode::UnsupportedMediaType, detail)
        .with_header(ACCEPT_ENCODING, HeaderValue::from_static("identity")))
}

/// The body as what it is to be.
pub(crate) async fn sent<T: app::request::Request>(request: Request) -> Result<T, Problem> {
    let text = json_text(request).await?;
    T::parse(&text).map_err(|faults| Problem::faults(&faults))
}

/// The body, which is any JSON value: a document, or a part of one. What it may hold is checked with the whole document.
pub(crate) async fn value(request: Request) -> Result<Value, Problem> {
    let text = json_text(request).await?;
    let (json, faults) = domain::parse_json("body", &text);
    match json {
        Some(json) if faults.is_empty() => Ok(json.value),
        _ => Err(Problem::faults(&faults)),
    }
}

/// The body, which is a JSON object.
pub(crate) async fn object(request: Request) -> Result<Map<String, Value>, Problem> {
    match value(request).await? {
        Value::Object(fields) => Ok(fields),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            let fault = Fault::error("wrong_type", Pointer::root(), "this does not fit here");
            Err(Problem::faults(&[fault.expected("an object")]))
        }
    }
}

fn is_one_of(headers: &HeaderMap, media_types: &[&str]) -> bool {
    let content_type =
        headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    media_types.iter().any(|known| media_type.eq_ignore_ascii_case(known))
}

fn not_json() -> Problem {
    let detail = "the body is JSON, and `Content-Type` has to say so";
    Problem::new(ProblemCode::UnsupportedMediaType, detail)
        .with_header(ACCEPT, HeaderValue::from_static(MEDIA_TYPE))
}

#[cfg(test)]
mod tests {
    use axum::http::header::CONTENT_TYPE;
    use axum::http::{HeaderMap, HeaderValue};

    use super::{MEDIA_TYPE, MERGE_PATCH, is_one_of};

    #[test]
    fn json_and_merge_patches_are_told_from_all_else() {
        let is_taken = |media_type| {
            let value = HeaderValue::from_static(media_type);
            is_one_of(&HeaderMap::from_iter([(CONTENT_TYPE, value)]), &[MEDIA_TYPE, MERGE_PATCH])
        };

        assert!(is_taken("application/json") && is_taken("Application/JSON; charset=utf-8"));
        assert!(is_taken("application/merge-patch+json"));
        assert!(!is_taken("application/json-patch+json") && !is_taken("text/plain"));
        assert!(!is_one_of(&HeaderMap::new(), &[MEDIA_TYPE]));
    }
}
