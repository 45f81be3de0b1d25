//! Turns a template into an answer with the headers that every page has.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use web::{FormTargets, protect_page};

/// Answers with a page.
pub(crate) fn page(status: StatusCode, template: &impl Template, targets: FormTargets) -> Response {
    let html = template.render().expect("writing to memory does not fail");
    let mut response = (status, Html(html)).into_response();
    protect_page(response.headers_mut(), targets);
    response
}
