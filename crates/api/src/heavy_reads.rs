//! What surrounds requests that work on a whole document: one member's application may ask for so many in a minute, and a bounded number
//! is worked on at a time. More are refused with 503, which a program repeats; neither memory nor patience runs out.

use app::{App, Work};
use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use web::{Problem, RequestContext, run_to_completion};

use crate::quota_fields::{Policy, grant_of};

/// Lets a request through when its turn has come. A change was counted already, by [`crate::writes::guard`].
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return in_turn(&app, request, next).await;
    }
    let (mut parts, body) = request.into_parts();
    let grant = match grant_of(&app, &mut parts).await {
        Ok(grant) => grant,
        Err(problem) => return problem.into_response(),
    };
    let quota = app.count_heavy_read(grant.member, &grant.client_id);
    let mut response = if quota.remaining.is_none() {
        Policy::HEAVY_READS.too_many(&quota).into_response()
    } else {
        in_turn(&app, Request::from_parts(parts, body), next).await
    };
    Policy::HEAVY_READS.tell(&quota, response.headers_mut());
    response
}

async fn in_turn(app: &App, request: Request, next: Next) -> Response {
    let turn = match app.turn(Work::Document).await {
        Ok(turn) => turn,
        Err(overloaded) => return Problem::from(overloaded).into_response(),
    };
    let context = RequestContext::of(request.extensions());
    let work = async move {
        let _turn = turn;
        next.run(request).await
    };
    run_to_completion(context, work).await
}
