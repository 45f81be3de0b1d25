//! Turns a template into an answer with the headers that every page has.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use web::{FormTargets, ImageSources, Scripts, protect_page};

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
    let mut response = (status, Html(html(template))).into_response();
    protect_page(response.headers_mut(), targets, scripts, ImageSources::DataUrls);
    response
}

/// Answers with a page that shows pictures of this server.
pub(crate) fn illustrated_page(template: &impl Template) -> Response {
    let mut response = Html(html(template)).into_response();
    let (targets, images) = (FormTargets::OwnPages, ImageSources::DataUrlsAndServer);
    protect_page(response.headers_mut(), targets, Scripts::None, images);
    response
}

fn html(template: &impl Template) -> String {
    template.render().expect("writing to memory does not fail")
}
