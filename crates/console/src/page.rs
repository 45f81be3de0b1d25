//! Turns a template into an answer with the headers that every page has.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use web::{FormTargets, Scripts, protect_page};

/// Answers with a page.
pub(crate) fn page(status: StatusCode, template: &impl Template, targets: FormTargets) -> Response {
    page_with(status, template, targets, Scripts::None)
}

/// Answers with a page that may have a script of ours.
pub(crate) fn page_with(
    status: StatusCode,
    template: &impl Template,
    targets: FormTargets,
    scripts: Scripts<'_>,
) -> Response {
    let html = template.render().expect("writing to memory does not fail");
    let mut response = (status, Html(html)).into_response();
    protect_page(response.headers_mut(), targets, scripts);
    response
}
