//! Sends the browser back to an OAuth client.

use axum::http::header::{CACHE_CONTROL, LOCATION, REFERRER_POLICY};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use secrecy::{ExposeSecret as _, SecretString};

/// 303, so that a browser that posted a form follows with GET and takes neither password nor decision along (RFC 9700 section
/// 4.12). The address contains a code, so no cache may keep it.
pub(crate) fn send_back(address: &SecretString) -> Response {
    let location = HeaderValue::from_str(address.expose_secret());
    let location = location.expect("redirect URIs are plain ASCII, and what we add is encoded");
    let headers = [
        (LOCATION, location),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}
