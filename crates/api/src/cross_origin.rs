//! Which answers pages of other sites may read (the Fetch standard, "CORS protocol"): those of the API, and those of the authorization
//! server that an application needs which runs in a browser and has no secret. No cookie counts at these addresses, so any page may ask
//! what any program may; what the secret of an application has opened is for no page.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::metadata;
use crate::oauth2::{REVOCATION_PATH, TOKEN_PATH};
use crate::routes::API;

/// What pages ask of the authorization server, and how.
const OPEN_TO_PAGES: [(&str, &str); 3] =
    [(TOKEN_PATH, "POST"), (REVOCATION_PATH, "POST"), (metadata::PATH, "GET")];

const API_METHODS: &str = "GET, POST, PUT, PATCH, DELETE";

/// A star does not mean `Authorization`.
const API_HEADERS: &str = "Authorization, *";

const ANY_PAGE: HeaderValue = HeaderValue::from_static("*");

/// All but `Authorization`: a page has no secret to show there.
const ANY_HEADER: &str = "*";

/// What browsers take at most.
const PREFLIGHT_SECONDS: &str = "7200";

const ANY_HEADER_TO_READ: HeaderValue = HeaderValue::from_static("*");

/// How pages may ask at an address.
struct Open {
    methods: &'static str,
    headers: &'static str,
}

fn open_at(path: &str) -> Option<Open> {
    if path.starts_with(API) {
        return Some(Open { methods: API_METHODS, headers: API_HEADERS });
    }
    let (_, methods) = OPEN_TO_PAGES.into_iter().find(|(open, _)| *open == path)?;
    Some(Open { methods, headers: ANY_HEADER })
}

/// Lets any page read what the API answers, failures included.
pub(crate) async fn open_api(request: Request, next: Next) -> Response {
    let is_of_api = request.uri().path().starts_with(API);
    let response = next.run(request).await;
    if is_of_api { for_any_page(response) } else { response }
}

/// Answers a browser that asks before it sends what a page wants to send elsewhere.
pub(crate) async fn answer_preflight(request: Request, next: Next) -> Response {
    let is_preflight = request.method() == Method::OPTIONS
        && [ORIGIN, ACCESS_CONTROL_REQUEST_METHOD]
            .iter()
            .all(|name| request.headers().contains_key(name));
    let open = open_at(request.uri().path()).filter(|_| is_preflight);
    let Some(Open { methods, headers }) = open else { return next.run(request).await };
    let headers = [
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, methods),
        (ACCESS_CONTROL_ALLOW_HEADERS, headers),
        (ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS),
    ];
    (StatusCode::NO_CONTENT, headers, Body::empty()).into_response()
}

/// The same answer, which any page may read.
pub(crate) fn for_any_page(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, ANY_PAGE);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, ANY_HEADER_TO_READ);
    response
}
