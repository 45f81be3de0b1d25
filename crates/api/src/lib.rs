//! HTTP for programs: OAuth 2.0, REST, snippet delivery. One module for each resource; rules are in `app` and below.

mod address;
mod answers;
mod api_tokens;
mod applications;
mod audit;
mod code_check;
mod collected_events;
mod conditional;
mod cross_origin;
mod decisions;
mod document_sources;
mod documents;
mod editing;
mod event_rows;
mod events;
mod events_keys;
mod experiment_length;
mod health;
mod heavy_reads;
mod history;
mod installations;
mod invitations;
mod json_body;
mod known_parameters;
mod me;
mod member_applications;
mod members;
mod metadata;
mod oauth2;
mod openapi;
mod paging;
mod preview_links;
mod projects;
mod quota_fields;
mod resources;
mod results;
mod results_links;
mod results_schema;
mod revisions;
mod routes;
mod schedule;
mod snippet_size;
mod snippets;
mod trials;
mod visual_editor;
mod webhooks;
mod writes;

use app::App;
use axum::Router;
use axum::http::Uri;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::any;
use web::{Bearer, Failure, Problem, ProblemCode, RequestId, edge};

pub use crate::openapi::openapi;
use crate::routes::{Described, Routes};

/// Everything that programs can ask for.
pub fn router(app: App) -> Router {
    let guard = from_fn_with_state(app.clone(), writes::guard);
    let routes = configuration()
        .into_router(&app)
        .route_layer(guard)
        .merge(beside().into_router(&app))
        .merge(health::router())
        .merge(snippets::router())
        .route("/v1", any(no_such_resource))
        .route("/v1/", any(no_such_resource))
        .route("/v1/{*rest}", any(no_such_resource))
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn(cross_origin::answer_preflight));
    edge(routes, app.clone(), answer_failure)
        .layer(from_fn(cross_origin::open_api))
        .merge(oauth2::router(app))
}

/// What visitors' pages ask for, and load balancers: for processes that do nothing else. Other addresses are not there.
pub fn visitors_router(app: App) -> Router {
    let routes = events::routes()
        .into_router(&app)
        .merge(health::router())
        .merge(snippets::router())
        .fallback(no_such_resource)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn(cross_origin::answer_preflight));
    edge(routes, app, answer_failure).layer(from_fn(cross_origin::open_api))
}

/// What programs change, as much as they may, and what is repeated is done once.
fn configuration() -> Routes {
    projects::routes()
        .merge(documents::routes())
        .merge(document_sources::routes())
        .merge(revisions::routes())
        .merge(resources::routes())
        .merge(history::routes())
        .merge(members::routes())
        .merge(invitations::routes())
        .merge(member_applications::routes())
        .merge(applications::routes())
        .merge(webhooks::routes())
        .merge(api_tokens::routes())
        .merge(events_keys::routes())
        .merge(results_links::routes())
        .merge(preview_links::routes())
        .merge(visual_editor::routes())
        .merge(event_rows::of_visitors())
        .merge(collected_events::routes())
        .described_as_guarded()
}

/// What changes nothing, or takes rows and events, which have limits of their own and count once.
fn beside() -> Routes {
    decisions::routes()
        .merge(events::routes())
        .merge(results::routes())
        .merge(event_rows::routes())
        .merge(experiment_length::routes())
        .merge(me::routes())
        .merge(installations::routes())
        .merge(schedule::routes())
        .merge(snippet_size::routes())
        .merge(code_check::routes())
        .merge(trials::routes())
        .merge(audit::routes())
        .merge(metadata::routes())
        .merge(openapi::routes())
}

/// Everything that is told of: all that has a description.
fn described() -> Vec<Described> {
    configuration().merge(beside()).merge(oauth2::routes()).into_descriptions()
}

async fn no_such_resource() -> Problem {
    Problem::not_found()
}

/// Who shows no token is told that first, as a token in a form may be why the method is another (RFC 6750 section 2.2).
async fn wrong_method(uri: Uri, bearer: Result<Bearer, Problem>) -> Problem {
    match bearer {
        Err(problem) if uri.path().starts_with("/v1/") => problem,
        Ok(_) | Err(_) => Problem::new(
            ProblemCode::MethodNotAllowed,
            "this address takes other methods; see `Allow`",
        ),
    }
}

const LATE_ANSWER: &str = "the answer takes longer than 30 seconds, and what the request asks for may be done: look, or repeat it with the same `Idempotency-Key`";

fn answer_failure(failure: Failure, _id: &RequestId) -> Response {
    match failure {
        Failure::Malformed => Problem::new(ProblemCode::Malformed, "the request is not proper HTTP"),
        Failure::InsecureTransport => Problem::new(
            ProblemCode::HttpsRequired,
            "the request came over plain http, where others can read it; send it to the https address, and change the secrets it held",
        ),
        Failure::Panicked => Problem::internal(),
        Failure::Overloaded => Problem::overloaded(),
        Failure::LateRequest => {
            Problem::new(ProblemCode::RequestTimeout, "the request did not arrive in time")
        }
        Failure::LateAnswer => Problem::still_working(LATE_ANSWER),
    }
    .into_response()
}
