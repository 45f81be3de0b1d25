//! Is the process alive, and can it do its work? For load balancers and supervisors.

use app::{App, require_writable};
use axum::Router;
use axum::extract::State;
use axum::routing::get;
use web::Problem;

pub(crate) fn router() -> Router<App> {
    Router::new().route("/healthz", get(alive)).route("/readyz", get(ready))
}

async fn alive() -> &'static str {
    "ok\n"
}

/// Ready means that what we answer would be durable: the store takes writes, as was found out within the last second.
async fn ready(State(app): State<App>) -> Result<&'static str, Problem> {
    require_writable(&app).await.map_err(Problem::from)?;
    Ok("ok\n")
}
