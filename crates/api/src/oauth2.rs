//! The endpoints of the authorization server that programs call. The pages that members see in between are in `console`.

mod answer;
mod call;
mod description;
mod introspect;
mod revoke;
mod token;

use app::App;
use axum::Router;
use axum::middleware::from_fn;
use axum::response::IntoResponse as _;
use axum::routing::any;
use web::edge;

pub(crate) use introspect::PATH as INTROSPECTION_PATH;
pub(crate) use revoke::PATH as REVOCATION_PATH;
pub(crate) use token::PATH as TOKEN_PATH;

use self::answer::{Failure, no_such_endpoint, wrong_method};
use crate::cross_origin;
use crate::routes::Routes;

/// What clients call, with what is told of it.
pub(crate) fn routes() -> Routes {
    token::routes().merge(revoke::routes()).merge(introspect::routes())
}

/// Has an edge of its own, because clients read every answer here as OAuth's JSON.
pub(crate) fn router(app: App) -> Router {
    let endpoints = routes().into_router(&app).method_not_allowed_fallback(wrong_method);
    let routes = endpoints
        .route("/oauth2", any(no_such_endpoint))
        .route("/oauth2/", any(no_such_endpoint))
        .route("/oauth2/{*rest}", any(no_such_endpoint))
        .layer(from_fn(cross_origin::answer_preflight));
    edge(routes, app, |failure, _id| Failure::Unanswered(failure).into_response())
}
