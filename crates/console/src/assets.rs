//! The one style sheet of all pages, embedded in the binary.

use std::sync::LazyLock;

use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

const STYLE_SHEET: &str = concat!(
    include_str!("../assets/console.css"),
    include_str!("../assets/decide.css"),
    include_str!("../assets/preview.css"),
    include_str!("../assets/account.css")
);

/// The sheet's hash: it changes with the binary, and then at once, because browsers ask each time.
static TAG: LazyLock<HeaderValue> = LazyLock::new(|| {
    let digest = Sha256::digest(STYLE_SHEET);
    let start = u64::from_be_bytes(digest[..8].try_into().expect("a digest has 32 bytes"));
    HeaderValue::from_str(&format!("\"{start:016x}\"")).expect("hexadecimal digits in quotes")
});

pub(crate) async fn style_sheet(request: Request) -> Response {
    let headers = [
        (ETAG, TAG.clone()),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    if request.headers().get(IF_NONE_MATCH) == Some(&*TAG) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, [(CONTENT_TYPE, "text/css; charset=utf-8")], STYLE_SHEET).into_response()
}
