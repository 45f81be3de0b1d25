//! `/docs/design`: the components of the console, each as pages use it. Pictures of this page show what a change of the style does.

mod charts;

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use web::FormTargets;

use crate::charts::{Band, Forest, VisitorChart};
use crate::page::page;

pub(crate) const PATH: &str = "/docs/design";

#[derive(Template)]
#[template(path = "design.html")]
struct DesignPage {
    effects: Forest,
    over_time: Vec<Band>,
    visitors: Option<VisitorChart>,
    variations: [&'static str; 3],
}

/// Shows the components.
pub(crate) async fn show() -> Response {
    let template = DesignPage {
        effects: charts::effects(),
        over_time: charts::over_time(),
        visitors: charts::visitors(),
        variations: charts::VARIATIONS,
    };
    page(StatusCode::OK, &template, FormTargets::OwnPages)
}
