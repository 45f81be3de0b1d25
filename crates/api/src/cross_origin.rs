//! Which answers pages of other sites may read (the Fetch standard, "CORS protocol"): those of the authorization server that an
//! application without a secret needs which runs in a browser, and what becomes of the events that a page sends. No cookie counts at these addresses, so any page may ask what any program may;
//! what a secret has opened is for no page.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::events;
use crate::metadata;
use crate::oauth2::{REVOCATION_PATH, TOKEN_PATH};

/// What pages ask for, and how.
const OPEN_TO_PAGES: [(&str, &str); 4] = [
    (TOKEN_PATH, "POST"),
    (REVOCATION_PATH, "POST"),
    (metadata::PATH, "GET"),
    (events::PATH, "POST"),
];

const ANY_PAGE: HeaderValue = HeaderValue::from_static("*");

/// All but `Authorization`, which a star does not mean: a page has no secret to show there.
const ANY_HEADER: &str = "*";

/// What browsers take at most.
const PREFLIGHT_SECONDS: &str = "7200";

/// What a program does something about.
const EXPOSED: HeaderValue = HeaderValue::from_static("Retry-After, X-Request-Id");

/// Answers a browser that asks before it sends what a page wants to send elsewhere.
pub(crate) async fn answer_preflight(request: Request, next: Next) -> Response {
    let is_preflight = request.method() == Method::OPTIONS
        && [ORIGIN, ACCESS_CONTROL_REQUEST_METHOD]
            .iter()
            .all(|name| request.headers().contains_key(name));
    let path = request.uri().path();
    let open = OPEN_TO_PAGES.iter().find(|(open, _)| is_preflight && *open == path);
    let Some((_, method)) = open else { return next.run(request).await };
    let headers = [
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, method),
        (ACCESS_CONTROL_ALLOW_HEADERS, ANY_HEADER),
        (ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS),
    ];
    (StatusCode::NO_CONTENT, headers, Body::empty()).into_response()
}

/// The same answer, which any page may read.
pub(crate) fn for_any_page(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, ANY_PAGE);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    response
}
