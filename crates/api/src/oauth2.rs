//! The endpoints of the authorization server that programs call. The pages that members see in between are in `console`.

mod answer;
mod call;
mod introspect;
mod revoke;
mod token;

use app::App;
use axum::Router;
use axum::response::IntoResponse as _;
use axum::routing::any;
use web::edge;

pub(crate) use introspect::PATH as INTROSPECTION_PATH;
pub(crate) use revoke::PATH as REVOCATION_PATH;
pub(crate) use token::PATH as TOKEN_PATH;

use self::answer::{Failure, no_such_endpoint};

/// Has an edge of its own, because clients read every answer here as OAuth's JSON.
pub(crate) fn router(app: App) -> Router {
    let routes = token::router()
        .merge(revoke::router())
        .merge(introspect::router())
        .route("/oauth2/{*rest}", any(no_such_endpoint));
    edge(routes, app, |failure, _id| Failure::Unanswered(failure).into_response())
}
