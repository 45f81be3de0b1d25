//! What answers about the configuration have in common: they may hold what is not public, so no cache keeps them.

use app::App;
use axum::Json;
use axum::http::header::{CACHE_CONTROL, LINK, LOCATION};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;

use crate::paging::Paging;

/// No cache keeps the answer.
pub(crate) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// What was asked for.
pub(crate) fn answer(status: StatusCode, body: impl Serialize) -> Response {
    (status, [(CACHE_CONTROL, NO_STORE)], Json(body)).into_response()
}

/// How many there are on all pages.
const TOTAL_COUNT: HeaderName = HeaderName::from_static("x-total-count");

/// A page of the list at `path`, which has so many entries on all pages, with links to its neighbours.
pub(crate) fn answer_page(
    app: &App,
    paging: Paging,
    path: &str,
    total: u64,
    body: impl Serialize,
) -> Response {
    let headers = [
        (LINK, paging.links(app, path, total)),
        (TOTAL_COUNT, HeaderValue::from(total)),
        (CACHE_CONTROL, NO_STORE),
    ];
    (headers, Json(body)).into_response()
}

/// It was done, and there is nothing to say about it.
pub(crate) fn answer_done() -> Response {
    (StatusCode::NO_CONTENT, [(CACHE_CONTROL, NO_STORE)]).into_response()
}

/// The answer, which tells that what it is about is at this path.
pub(crate) fn located(mut answer: Response, app: &App, path: &str) -> Response {
    let address = HeaderValue::from_str(&app.public_url().join(path));
    let address = address.expect("a public URL is plain ASCII");
    answer.headers_mut().insert(LOCATION, address);
    answer
}
