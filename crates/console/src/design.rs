//! `/docs/design`: the components of the console, each as pages use it. Pictures of this page show what a change of the style does.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use web::FormTargets;

use crate::page::page;

pub(crate) const PATH: &str = "/docs/design";

#[derive(Template)]
#[template(path = "design.html")]
struct DesignPage;

/// Shows the components.
pub(crate) async fn show() -> Response {
    page(StatusCode::OK, &DesignPage, FormTargets::OwnPages)
}
