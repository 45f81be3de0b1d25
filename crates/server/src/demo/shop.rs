//! The demo shop: a few embedded files below `/demo/`, under the strictest policy that a page of its kind can have.

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

/// Each file's path below the server's address, its type and its content.
/// A file of the shop.
struct ShopFile {
    path: &'static str,
    content_type: &'static str,
    content: &'static str,
}

const FILES: &[ShopFile] = &[
    file("/demo/", HTML, include_str!("../../demo/index.html")),
    file("/demo/mug.html", HTML, include_str!("../../demo/mug.html")),
    file("/demo/mug-story.html", HTML, include_str!("../../demo/mug-story.html")),
    file("/demo/callback", HTML, include_str!("../../demo/callback.html")),
    file("/demo/callback.js", JAVASCRIPT, include_str!("../../demo/callback.js")),
    file("/demo/panel.js", JAVASCRIPT, include_str!("../../demo/panel.js")),
    file("/demo/panel.css", CSS, include_str!("../../demo/panel.css")),
    file("/demo/mug-ember.svg", SVG, include_str!("../../demo/mug-ember.svg")),
    file("/demo/mug-fog.svg", SVG, include_str!("../../demo/mug-fog.svg")),
    file("/demo/mug-pine.svg", SVG, include_str!("../../demo/mug-pine.svg")),
    file("/demo/tarn.svg", SVG, include_str!("../../demo/tarn.svg")),
    file("/demo/shop.css", CSS, include_str!("../../demo/shop.css")),
];

const HTML: &str = "text/html; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const CSS: &str = "text/css; charset=utf-8";

/// Shows that Assay only needs a page that may run scripts of its own origin.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const fn file(path: &'static str, content_type: &'static str, content: &'static str) -> ShopFile {
    ShopFile { path, content_type, content }
}

/// The shop's routes.
pub(crate) fn router() -> Router {
    let router = Router::new().route("/demo", get(|| async { Redirect::permanent("/demo/") }));
    FILES.iter().fold(router, |router, file| {
        router.route(file.path, get(move || async move { answer(file) }))
    })
}

fn answer(file: &ShopFile) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(file.content_type)),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        // Analytics needs the referrer between the shop's pages; other sites do not get it.
        (REFERRER_POLICY, HeaderValue::from_static("same-origin")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, file.content).into_response()
}
